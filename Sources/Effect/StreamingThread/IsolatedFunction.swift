// An isolated function calls into the current actor without allocating a closure.

/// A function isolated to an actor, for the thread that has entered the actor's executor.
///
/// `assumeIsolated` does the same for a closure, and allocates memory twice a call; this allocates once,
/// when it is made.
///
/// - Important: A call traps, as `assumeIsolated` does, where the caller is not isolated to the actor.
package struct IsolatedFunction<
  Isolation: Actor, Input: ~Copyable & ~Escapable, Target: ~Copyable & ~Escapable, Parameters,
  Result, Failure: Error
>: Sendable {
  /// The function, as the compiler checks it.
  package typealias Isolated =
    @Sendable (isolated Isolation, borrowing Input, inout Target, Parameters) throws(Failure) ->
    Result
  private typealias Unchecked =
    @Sendable (Isolation, borrowing Input, inout Target, Parameters) throws(Failure) -> Result

  private let body: Unchecked

  /// Takes a function that is to be called often.
  package init(_ body: @escaping Isolated) {
    // Why the cast is sound: the types differ only in what the compiler demands of the caller, and
    // not in how a function is called; the standard library casts the same way in `assumeIsolated`.
    // The isolation that is no longer demanded, `callAsFunction` checks each time.
    self.body = unsafe unsafeBitCast(body, to: Unchecked.self)
  }

  package func callAsFunction(
    on actor: Isolation, _ input: borrowing Input, _ target: inout Target, _ parameters: Parameters
  ) throws(Failure) -> Result {
    actor.preconditionIsolated()
    return try body(actor, input, &target, parameters)
  }
}
