// The memory that the process really has, as Linux sees it.

import Glibc

/// Bytes of the process that are in memory.
enum ResidentMemory {
  /// Bytes now.
  static var current: Int { status("VmRSS:") }

  /// The most bytes there were since ``forgetPeak()``.
  static var peak: Int { status("VmHWM:") }

  /// Lets the peak begin anew.
  ///
  /// - Returns: false where the kernel does not offer that, so that the peak is the process's.
  @discardableResult
  static func forgetPeak() -> Bool {
    // proc(5): "5" resets the peak resident set size to the current one.
    guard let file = unsafe fopen("/proc/self/clear_refs", "w") else { return false }
    let isWritten = unsafe fputs("5", file) >= 0
    return unsafe fclose(file) == 0 && isWritten
  }

  /// A value of /proc/self/status, which counts in kB; 0 if it is not there.
  private static func status(_ name: String) -> Int {
    guard let text = TextFile.read("/proc/self/status") else { return 0 }
    for line in text.split(separator: "\n") where line.hasPrefix(name) {
      let fields = line.split(whereSeparator: \.isWhitespace)
      return fields.count > 1 ? (Int(fields[1]) ?? 0) * 1024 : 0
    }
    return 0
  }
}
