// Unfinished images are written into a folder of their own, and moved to their names when all are complete.

import LibC
import StreamingThread

/// The files of an image sequence, in a folder beside them until all are complete.
///
/// Files at their places stay until then, or for good where they may not be replaced; nothing is left of images that are
/// given up. The folder is locked while it is used: the next images for the same pattern remove that of a process that
/// was killed.
package final class UnfinishedImages: Sendable {
  /// The names of the finished files.
  package let pattern: NumberPattern
  private let replaces: Bool
  private let temporaryFolder: String
  private let state = Lock(State())

  private struct State {
    /// The folder, open and locked.
    var folder: OpenFile?
    var numbers: [Int] = []
  }

  /// Names for images, which are not made yet.
  ///
  /// - Parameters:
  ///   - numbers: The numbers that may be written.
  ///   - inputs: Files that must not be replaced.
  ///   - replaces: Whether files that are there may be replaced.
  /// - Throws: ``CaptureError/Code/fileExists``, ``CaptureError/Code/badRequest``.
  package init(
    _ pattern: NumberPattern, numbers: Range<Int>, inputs: [String], replaces: Bool
  ) throws(CaptureError) {
    self.pattern = pattern
    self.replaces = replaces
    temporaryFolder = "\(pattern.path).\(UInt32.random(in: 0 ... .max)).part"
    let present = pattern.numbers().filter(numbers.contains).map(pattern.path)
    let identities = Set(present.compactMap { FileIdentity($0) })
    if let input = inputs.first(where: { FileIdentity($0).map(identities.contains) == true }) {
      throw CaptureError(
        .badRequest, "\(input) is an input, and would be overwritten. Write to other files.")
    }
    guard replaces || present.isEmpty else {
      throw CaptureError(
        .fileExists,
        "\(present[0]) exists already. Choose another name, or add --force to overwrite such files."
      )
    }
  }

  /// Makes sure that the folder could be created, and creates nothing.
  ///
  /// - Throws: ``CaptureError/Code/notWritable``.
  package func requireFolder() throws(CaptureError) {
    try UnfinishedFile.requireFolder(pattern.folder, of: pattern.path)
  }

  /// Creates the folder.
  ///
  /// - Throws: ``CaptureError/Code/notWritable``.
  package func create() throws(CaptureError) {
    let name = String(pattern.path.dropFirst(pattern.folder.count))
    UnfinishedFile.removeAbandoned(
      for: name, inFolder: pattern.folder, O_RDONLY | O_DIRECTORY, Self.remove)
    guard unsafe mkdir(temporaryFolder, 0o777) == 0,
      let folder = OpenFile.open(temporaryFolder, O_RDONLY | O_DIRECTORY)
    else { throw CaptureError.notCreated(pattern.path) }
    _ = folder.lock()
    state.withLock { $0.folder = folder }
  }

  /// The path at which the image with a number is to be written.
  package func temporaryPath(_ number: Int) -> String {
    state.withLock { $0.numbers.append(number) }
    return "\(temporaryFolder)/\(pattern.name(number))"
  }

  /// Puts the files where they belong.
  ///
  /// Those that cannot be put there are kept in the folder, which the error names.
  ///
  /// - Throws: ``CaptureError/Code/fileExists``, ``CaptureError/Code/notWritable``.
  package func complete() throws(CaptureError) {
    let numbers = state.withLock { $0.numbers.sorted() }
    do throws(CaptureError) {
      for number in numbers where !replaces && FileIdentity(pattern.path(number)) != nil {
        throw OutputFile.appeared(pattern.path(number))
      }
      for number in numbers {
        let (complete, path) = ("\(temporaryFolder)/\(pattern.name(number))", pattern.path(number))
        // Or a machine that fails now might have the name and not the content.
        if let file = OpenFile.open(complete, O_RDONLY) { _ = fsync(file.descriptor) }
        try OutputFile.install(complete, at: path, calledBy: path, replaces: replaces)
      }
    } catch {
      state.withLock { $0.folder = nil }
      throw CaptureError(
        error.code, "\(error.message) The other finished images are in \(temporaryFolder).")
    }
    remove()
  }

  /// Leaves nothing.
  package func remove() {
    state.withLock { state in
      if state.folder != nil { Self.remove(temporaryFolder) }
      state.folder = nil
    }
  }

  private static func remove(_ folder: String) {
    for name in fileNames(inFolder: folder) { _ = unsafe unlink("\(folder)/\(name)") }
    _ = unsafe rmdir(folder)
  }
}
