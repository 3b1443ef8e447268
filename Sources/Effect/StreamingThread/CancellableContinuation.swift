// Waiting for a continuation that a cancellation may resume.

/// Waits until a continuation is resumed; cancelling the task may resume it.
///
/// The caller's actor runs nothing else before `body` returns, so what `body` puts in a queue is there in the
/// order of the calls. `withTaskCancellationHandler` alone does not promise that: a closure that does
/// not use the isolation leaves the actor.
///
/// - Parameters:
///   - body: Keeps the continuation, or resumes it. A cancellation may have come before.
///   - cancel: Resumes the continuation where it is kept; on any thread, at any moment.
package func withCancellableContinuation<Result: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  _ body: (CheckedContinuation<Result, Never>) -> Void,
  onCancel cancel: @Sendable () -> Void
) async -> Result {
  await withTaskCancellationHandler(
    operation: { await withCheckedContinuation(isolation: isolation, body) }, onCancel: cancel,
    isolation: isolation)
}
