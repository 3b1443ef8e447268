// Reading an optional value that cannot be copied, as optional chaining would consume it.

extension Optional where Wrapped: ~Copyable {
  /// The result of `body` for the value; nil where there is none.
  @discardableResult
  package borrowing func read<Result, Failure: Error>(
    _ body: (borrowing Wrapped) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    switch self {
    case .none: nil
    case .some(let value): try body(value)
    }
  }
}
