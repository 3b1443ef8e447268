// What can go wrong in the command, said so that a person can act on it.

/// An error of the command: a sentence that says what happened and what to do.
struct CommandError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
