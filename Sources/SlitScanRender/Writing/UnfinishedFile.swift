// A file that is there once it is complete.

import Glibc
import SlitScanCapture

/// A file under a name of its own, beside the one that it becomes.
///
/// What is at that place stays until then; nothing is left where it comes to nothing.
struct UnfinishedFile: Sendable {
  /// Where it becomes.
  let path: String
  /// Where it is until then.
  let temporaryPath: String

  /// A name for a file, which is not made yet.
  ///
  /// - Parameters:
  ///   - path: Where it becomes.
  ///   - inputs: Files that it must not replace.
  ///   - replaces: Whether it may replace what is there.
  /// - Throws: ``CaptureError/Code/fileExists``, ``CaptureError/Code/badRequest``,
  ///   ``CaptureError/Code/notWritable``, ``CaptureError/Code/fileBusy``.
  init(_ path: String, inputs: [String] = [], replaces: Bool) throws(CaptureError) {
    self.path = path
    temporaryPath = "\(path).\(UInt32.random(in: 0 ... .max)).part"
    guard let present = FileIdentity(path) else { return }
    guard !present.isFolder else {
      throw CaptureError(.notWritable, "\(path) is a folder. Give it a name for a file.")
    }
    guard !inputs.contains(where: { FileIdentity($0) == present }) else {
      throw CaptureError(
        .badRequest, "\(path) is what is to be read. Write to another file.")
    }
    guard replaces else {
      throw CaptureError(
        .fileExists, "\(path) is there already. Choose another name, or say --force to replace it.")
    }
    try OutputFile.requireFree(path)
  }

  /// Puts the file where it belongs.
  ///
  /// - Throws: ``CaptureError/Code/notWritable``, ``CaptureError/Code/fileBusy``.
  func complete() throws(CaptureError) {
    let file = unsafe open(temporaryPath, O_RDONLY)
    if file >= 0 {
      // Or a machine that fails now might have the name and not the film.
      _ = fsync(file)
      _ = Glibc.close(file)
    }
    do throws(CaptureError) {
      try OutputFile.install(temporaryPath, at: path)
    } catch {
      remove()
      throw error
    }
  }

  /// Leaves nothing.
  func remove() { _ = unsafe unlink(temporaryPath) }
}

/// Which file is at a path, whatever it is called there.
private struct FileIdentity: Equatable {
  let device: UInt
  let number: UInt
  let isFolder: Bool

  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }
}
