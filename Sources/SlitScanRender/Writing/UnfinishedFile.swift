// An unfinished file is written under a temporary name and renamed when complete.

import LibC
import SlitScanCapture
import StreamingThread

/// A file under a name of its own, beside the one that it becomes.
///
/// A file at that place stays until then, or for good where it may not be replaced; nothing is left of one that is
/// given up. The file is locked while it is written, so that one whose process was killed can be told from one that is
/// still being written: the next file for the same place removes it.
final class UnfinishedFile: Sendable {
  /// The path that stands for standard output, which is written as it is.
  static let standardOutput = "-"

  /// The path of the finished file.
  let path: String
  /// The path until then.
  let temporaryPath: String
  private let isStandardOutput: Bool
  private let replaces: Bool
  /// The file, open and locked; nil before it is created and after it is complete or removed.
  private let descriptor = Lock<Int32?>(nil)

  /// A name for a file, which is not made yet.
  ///
  /// - Parameters:
  ///   - path: Where it becomes.
  ///   - inputs: Files that it must not replace.
  ///   - replaces: Whether it may replace what is there, now or when it is complete.
  /// - Throws: ``CaptureError/Code/fileExists``, ``CaptureError/Code/badRequest``,
  ///   ``CaptureError/Code/notWritable``, ``CaptureError/Code/fileBusy``.
  init(_ path: String, inputs: [String] = [], replaces: Bool) throws(CaptureError) {
    isStandardOutput = path == Self.standardOutput
    self.replaces = replaces
    guard !isStandardOutput else {
      self.path = "Standard output"
      temporaryPath = "/dev/stdout"
      return
    }
    self.path = path
    temporaryPath = "\(path).\(UInt32.random(in: 0 ... .max)).part"
    guard let present = FileIdentity(path) else { return }
    guard !present.isFolder else {
      throw CaptureError(.notWritable, "\(path) is a folder. Name a file in it.")
    }
    guard !inputs.contains(where: { FileIdentity($0) == present }) else {
      throw CaptureError(
        .badRequest, "\(path) is also the input. Write to another file.")
    }
    guard replaces else {
      throw CaptureError(
        .fileExists, "\(path) exists already. Choose another name, or add --force to overwrite it.")
    }
    try OutputFile.requireFree(path)
  }

  deinit { close() }

  /// Creates the file, empty, after those that killed processes have left for the same place are removed.
  ///
  /// - Throws: ``CaptureError/Code/notWritable``.
  func create() throws(CaptureError) {
    guard !isStandardOutput else { return }
    removeAbandoned()
    // Another process that cleans up may take the lock first, and remove the file.
    repeat {
      close()
      let file = unsafe open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard file >= 0 else {
        throw CaptureError(
          .notWritable, "\(path) cannot be created. Check that the folder exists and is writable.")
      }
      descriptor.withLock { $0 = file }
      // If the file system has no locks, nobody can take one and remove the file.
      _ = flock(file, LOCK_EX)
    } while FileIdentity(temporaryPath) == nil
  }

  /// Puts the file where it belongs.
  ///
  /// Where it cannot be put there, it is kept under another name, which the error tells.
  ///
  /// - Throws: ``CaptureError/Code/fileExists``, ``CaptureError/Code/notWritable``,
  ///   ``CaptureError/Code/fileBusy``.
  func complete() throws(CaptureError) {
    guard !isStandardOutput else { return }
    // Or a machine that fails now might have the name and not the film.
    if let file = descriptor.withLock({ $0 }) { _ = fsync(file) }
    do throws(CaptureError) {
      try install()
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

  private func install() throws(CaptureError) {
    guard !replaces else { return try OutputFile.install(temporaryPath, at: path) }
    guard try OutputFile.installNew(temporaryPath, at: path) else {
      throw CaptureError(
        .fileExists, "\(path) exists already: it was written meanwhile, and was not overwritten.")
    }
  }

  /// Gives the file a name that no other has, as `film-2.mp4`.
  ///
  /// - Returns: Its path; nil where there cannot be one.
  private func keep() -> String? {
    let name = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    // A name that begins with the only dot has no extension.
    let dot = path[name...].dropFirst().lastIndex(of: ".") ?? path.endIndex
    for number in 2...Int.max {
      let other = "\(path[..<dot])-\(number)\(path[dot...])"
      guard let isKept = try? OutputFile.installNew(temporaryPath, at: other) else { return nil }
      if isKept { return other }
    }
    return nil
  }

  /// Leaves nothing.
  func remove() {
    guard !isStandardOutput else { return }
    _ = unsafe unlink(temporaryPath)
    close()
  }

  private func close() {
    let file = descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
    if let file { _ = Glibc.close(file) }
  }

  // MARK: What killed processes leave

  private func removeAbandoned() {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "./"
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    for entry in Self.names(in: folder) where Self.isPart(entry, of: name) {
      let file = unsafe open(folder + entry, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      // Whoever still writes it holds the lock.
      if flock(file, LOCK_EX | LOCK_NB) == 0 { _ = unsafe unlink(folder + entry) }
      _ = Glibc.close(file)
    }
  }

  /// Whether a file has a name that another one would have had for `name`.
  private static func isPart(_ entry: String, of name: String) -> Bool {
    guard entry.hasPrefix(name + "."), entry.hasSuffix(".part") else { return false }
    let middle = entry.dropFirst(name.count + 1).dropLast(".part".count)
    return UInt32(middle) != nil && middle.allSatisfy(\.isNumber)
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { _ = unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe Array(bytes.prefix { $0 != 0 })
      }
      names.append(String(decoding: name, as: UTF8.self))
    }
    return names
  }
}

/// Which file is at a path, whatever it is called there.
private struct FileIdentity: Equatable {
  let device: UInt
  let number: UInt
  let isFolder: Bool

  init?(_ path: String) {
    var status = stat()
    // A link that leads nowhere is itself what would be replaced.
    guard unsafe stat(path, &status) == 0 || lstat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }
}
