// A file that is going to be replaced, and is back if that comes to nothing.

import Glibc

/// What is at a path, put aside.
struct ReplacedFile: Sendable {
  private let path: String
  /// Where it is meanwhile; nil where there was no file, or what is there is none, as a device.
  private let aside: String?
  private let isDevice: Bool

  /// Puts aside what is there.
  init(_ path: String) {
    self.path = path
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      aside = nil
      isDevice = false
      return
    }
    isDevice = status.st_mode & S_IFMT != S_IFREG
    let name = "\(path).\(UInt32.random(in: 0 ... .max)).before"
    let isMoved = unsafe !isDevice && rename(path, name) == 0
    aside = isMoved ? name : nil
  }

  /// Everything is as it was.
  func restore() {
    if !isDevice { _ = unsafe unlink(path) }
    if let aside { _ = unsafe rename(aside, path) }
  }

  /// The new file stays.
  func forget() {
    if let aside { _ = unsafe unlink(aside) }
  }
}
