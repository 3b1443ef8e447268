// An unfinished file is written under a temporary name and renamed when complete.

import GStreamer
import LibC
import StreamingThread

/// A file under a name of its own, beside the one that it becomes; or a pipe, a device or standard output, which are
/// written as they are.
///
/// A file at that place stays until then, or for good where it may not be replaced; nothing is left of one that is
/// given up. The file is locked while it is written, so that one whose process was killed can be told from one that is
/// still being written: the next file for the same place removes it.
package final class UnfinishedFile: Sendable {
  /// The path that stands for standard output.
  package static let standardOutput = "-"

  /// The path of the finished file.
  package let path: String
  /// The path until then.
  package let temporaryPath: String
  /// Whether what is written goes into something that is no file, and cannot be taken back.
  package let isStream: Bool
  private let isStandardOutput: Bool
  private let replaces: Bool
  /// The path of the finished file, without links.
  private let place: String
  /// The file, open and locked; nil before it is created and after it is complete or removed.
  private let file = Shared<OpenFile?>(nil)

  /// A name for a file, which is not made yet.
  ///
  /// - Parameters:
  ///   - path: Where it becomes.
  ///   - inputs: Files that it must not replace.
  ///   - replaces: Whether it may replace what is there, now or when it is complete.
  /// - Throws: ``CaptureError/Code/fileExists``, ``CaptureError/Code/badRequest``,
  ///   ``CaptureError/Code/notWritable``, ``CaptureError/Code/fileBusy``.
  package init(_ path: String, inputs: [String] = [], replaces: Bool) throws(CaptureError) {
    isStandardOutput = path == Self.standardOutput
    self.replaces = replaces
    self.path = isStandardOutput ? "Standard output" : path
    let present = isStandardOutput ? nil : FileIdentity(path)
    isStream = isStandardOutput || present?.isStream == true
    place = present?.isLink == true ? OutputFile.resolved(path) ?? path : path
    temporaryPath = "\(place).\(UInt32.random(in: 0 ... .max)).part"
    guard let present else { return }
    guard present.kind != S_IFDIR else {
      throw CaptureError(.notWritable, "\(path) is a folder. Name a file in it.")
    }
    guard present.isStream || present.isFile else {
      throw CaptureError(.notWritable, "\(path) is a socket. Name a file.")
    }
    guard !inputs.contains(where: { FileIdentity($0) == present }) else {
      throw CaptureError(
        .badRequest, "\(path) is also the input. Write to another file.")
    }
    guard replaces || !present.hasContent else {
      throw CaptureError(
        .fileExists, "\(path) exists already. Choose another name, or add --force to overwrite it.")
    }
    if !isStream { try OutputFile.requireFree(path) }
  }

  /// Whether a path stands for a pipe, a device or standard output.
  package static func isStream(_ path: String) -> Bool {
    path == standardOutput || FileIdentity(path)?.isStream == true
  }

  /// Makes sure that the file could be created, and creates nothing.
  ///
  /// - Throws: ``CaptureError/Code/notWritable``.
  package func requireFolder() throws(CaptureError) {
    if !isStream { try Self.requireFolder(String(place[..<nameStart]), of: path) }
  }

  /// Makes sure that files could be created in a folder.
  static func requireFolder(_ folder: String, of path: String) throws(CaptureError) {
    guard unsafe access(folder.isEmpty ? "./" : folder, W_OK | X_OK) == 0 else {
      throw CaptureError.notCreated(path)
    }
  }

  /// The beginning of the last component of the place.
  private var nameStart: String.Index {
    place.lastIndex(of: "/").map(place.index(after:)) ?? place.startIndex
  }

  /// Creates the file, empty, after those that killed processes have left for the same place are removed; or opens the
  /// stream, which for a pipe takes until it has a reader.
  ///
  /// - Throws: ``CaptureError/Code/notWritable``, `CancellationError`.
  package func create(on clock: any SteadyClock = ContinuousClock()) async throws {
    guard !isStandardOutput else { return }
    guard !isStream else { return try await openStream(on: clock) }
    let (folder, name) = (place[..<nameStart], place[nameStart...])
    Self.removeAbandoned(for: String(name), inFolder: String(folder), O_RDWR) {
      _ = unsafe unlink($0)
    }
    // Another process that cleans up may take the lock first, and remove the file.
    repeat {
      close()
      guard let file = OpenFile.open(temporaryPath, O_RDWR | O_CREAT | O_EXCL) else {
        throw CaptureError.notCreated(path)
      }
      self.file.value = file
      // If the file system has no locks, no process can take one and remove the file.
      _ = flock(file.descriptor, LOCK_EX)
    } while FileIdentity(temporaryPath) == nil
  }

  private func openStream(on clock: any SteadyClock) async throws {
    while true {
      if let stream = OpenFile.openStream(path) { return file.value = stream }
      guard errno == ENXIO else { throw CaptureError.notCreated(path) }
      // A pipe without a reader: to wait in open() could not be cancelled.
      try await clock.sleep(for: .milliseconds(50))
    }
  }

  /// Has an element write the file: a `filesink`, or for a stream an `fdsink`.
  package func settle(_ sink: Element) throws(GStreamerError) {
    try sink.write(
      to: temporaryPath, or: isStream ? file.value?.descriptor ?? STDOUT_FILENO : nil)
  }

  /// Puts the file where it belongs.
  ///
  /// Where it cannot be put there, it is kept under another name, which the error tells.
  ///
  /// - Throws: ``CaptureError/Code/fileExists``, ``CaptureError/Code/notWritable``,
  ///   ``CaptureError/Code/fileBusy``.
  package func complete() throws(CaptureError) {
    guard !isStream else { return close() }
    // Or a machine that fails now might have the name and not the content.
    if let file = file.value { _ = fsync(file.descriptor) }
    do throws(CaptureError) {
      try OutputFile.install(temporaryPath, at: place, calledBy: path, replaces: replaces)
    } catch {
      guard let kept = keep() else {
        remove()
        throw error
      }
      close()
      throw CaptureError(error.code, "\(error.message) The finished file is \(kept).")
    }
    close()
  }

  /// Gives the file a name that no other has, as `film-2.mp4`.
  ///
  /// - Returns: Its path; nil where there cannot be one.
  private func keep() -> String? {
    // A name that begins with the only dot has no extension.
    let dot = place[nameStart...].dropFirst().lastIndex(of: ".") ?? place.endIndex
    for number in 2...Int.max {
      let other = "\(place[..<dot])-\(number)\(place[dot...])"
      guard let isKept = try? OutputFile.installNew(temporaryPath, at: other) else { return nil }
      if isKept { return other }
    }
    return nil
  }

  /// Leaves nothing.
  package func remove() {
    if !isStream { _ = unsafe unlink(temporaryPath) }
    close()
  }

  private func close() { _ = file.exchange(nil) }

  // MARK: What killed processes leave

  /// Removes what has a name that another process would have made of a name, and whose lock is free.
  ///
  /// - Parameters:
  ///   - folder: With a slash at its end; empty for the current one.
  ///   - flags: Those with which it is opened.
  static func removeAbandoned(
    for name: String, inFolder folder: String, _ flags: CInt, _ remove: (String) -> Void
  ) {
    for entry in fileNames(inFolder: folder.isEmpty ? "." : folder) where isPart(entry, of: name) {
      guard let file = OpenFile.open(folder + entry, flags | O_NOFOLLOW) else { continue }
      // A process that still writes it holds the lock.
      if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { remove(folder + entry) }
    }
  }

  /// Whether a file has a name that another one would have had for `name`.
  static func isPart(_ entry: String, of name: String) -> Bool {
    guard entry.hasPrefix(name + "."), entry.hasSuffix(".part") else { return false }
    let middle = entry.dropFirst(name.count + 1).dropLast(".part".count)
    return UInt32(middle) != nil && middle.allSatisfy(\.isNumber)
  }
}
