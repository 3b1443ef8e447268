// The check that inputs can be read more than once: times, frames and sound each have a pipeline of their own.

import LibC
import SlitScanCapture

/// The films that a rendering reads.
package enum FilmInputs {
  /// Makes sure that all can be read more than once, before anything opens them: to open a pipe waits for its writer.
  package static func require(_ paths: [String]) throws(CaptureError) {
    for path in paths {
      var status = stat()
      guard unsafe stat(FileSource.localPath(path), &status) == 0,
        [S_IFIFO, S_IFSOCK, S_IFCHR].contains(status.st_mode & S_IFMT)
      else { continue }
      throw CaptureError(
        .sourceFailed,
        "\(path) is a pipe or a device, and a film is read more than once. Write it to a file first."
      )
    }
  }
}
