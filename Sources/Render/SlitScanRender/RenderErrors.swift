// The error codes of rendering, and the conversion of GStreamer's errors to them.

import GStreamer
import SlitScanCapture

extension CaptureError.Code {
  // MARK: Rendering

  /// Films cannot follow each other in one film.
  public static let formatsDiffer = Self(rawValue: "render.formats-differ")
  /// A film does not say when its frames are shown in a way that parts of it can be told apart.
  public static let timesDiffer = Self(rawValue: "render.times-differ")
  /// Parts are missing, or are not of one film.
  public static let badParts = Self(rawValue: "render.bad-parts")
}

/// Runs what makes a file, whose errors are those of this module.
///
/// - Parameter kind: The code for errors of GStreamer that have no explanation yet.
/// - Throws: ``CaptureError``; where the task is cancelled, one of ``CaptureError/Code/cancelled``.
func explained<Result>(
  otherwise kind: CaptureError.Code, _ body: () async throws -> Result
) async throws(CaptureError) -> Result {
  do {
    return try await body()
  } catch let error as CaptureError {
    throw Task.isCancelled ? .renderingCancelled : error
  } catch let error as GStreamerError {
    throw error.code == .cancelled
      ? .renderingCancelled : CaptureError(kind, error.message, underlying: error)
  } catch {
    throw .renderingCancelled
  }
}
