// The terminal reads keys and draws the live screen.

import FoundationEssentials
import GStreamer
import LibC
import SlitScanStage
import StreamingThread
import Synchronization

/// A terminal that sends each key at once and shows whole screens.
///
/// It is as it was before when this goes, also when the program ends by a signal that it can see.
public final class Terminal: Sendable {
  private let before: termios
  private let mode: termios
  /// Whether colours are wanted, see https://no-color.org.
  private let hasColor = (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  /// The screen as it was shown last; nil where it may be anything.
  private let shown = Lock<(lines: [ScreenLine], columns: Int, rows: Int)?>(nil)
  private let isRestored = Atomic(false)
  private let stopper: Stopper
  /// The keys that are pressed; for one reader.
  public let keys: AsyncStream<Key>

  /// The terminal of the program; nil where it has none.
  public init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, let stopper = Stopper()
    else { return nil }
    self.stopper = stopper
    var mode = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
    before = mode
    unsafe cfmakeraw(&mode)
    // Lines still begin at the left. Control-Z stops the program; control-C is a key, and so is control-\.
    mode.c_oflag |= tcflag_t(OPOST)
    mode.c_lflag |= tcflag_t(ISIG)
    (mode.c_cc.0, mode.c_cc.1) = (0, 0)
    self.mode = mode
    guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode) == 0 else { return nil }
    let (keys, continuation) = AsyncStream.makeStream(
      of: Key.self, bufferingPolicy: .bufferingOldest(1000))
    self.keys = keys
    startThread("keys") { [stopper] in Self.listen(until: stopper, continuation) }
    begin()
  }

  /// Another screen, without a cursor.
  private func begin() { write("\u{1b}[?1049h\u{1b}[?25l") }

  private func end() {
    write("\u{1b}[?25h\u{1b}[?1049l")
    set(before)
  }

  private func set(_ mode: termios) {
    var mode = mode
    _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode)
  }

  /// Stops the program, as control-Z does, with the terminal as it was before; returns when it goes on.
  public func suspend() {
    end()
    // Of this thread, which so does not come beyond this line.
    _ = raise(SIGSTOP)
    resume()
  }

  /// Takes the terminal again: another program had it meanwhile and has left it in another mode.
  public func resume() {
    set(mode)
    shown.withLock { $0 = nil }
    begin()
  }

  deinit { restore() }

  /// Gives the terminal back as it was, once: afterwards another program moves its cursor.
  public func restore() {
    guard !isRestored.exchange(true, ordering: .relaxed) else { return }
    stopper.stop()
    end()
  }

  /// The number of columns and rows.
  public var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Shows lines, and nothing else; writes those that differ from what is shown.
  public func show(_ lines: [ScreenLine]) {
    let (columns, rows) = size
    let before = shown.withLock { shown in
      // A terminal that gets another size moves its lines.
      let before = shown.flatMap { $0.columns == columns && $0.rows == rows ? $0.lines : nil }
      shown = (lines, columns, rows)
      return before
    }
    var text = before == nil ? "\u{1b}[H\u{1b}[J" : ""
    for row in 0..<max(lines.count, before?.count ?? 0) {
      let line = lines.indices.contains(row) ? lines[row] : ScreenLine()
      let old = before.flatMap { $0.indices.contains(row) ? $0[row] : nil } ?? ScreenLine()
      guard line != old else { continue }
      text += "\u{1b}[\(row + 1);1H\(line.escaped(hasColor: hasColor))\u{1b}[K"
    }
    if !text.isEmpty { write(text) }
  }

  private func write(_ text: String) { LibC.write(text, to: STDOUT_FILENO) }

  /// Reads keys until it is stopped, or the terminal is gone.
  private static func listen(until stopper: Stopper, _ keys: AsyncStream<Key>.Continuation) {
    var reader = KeyReader()
    var bytes = [UInt8](repeating: 0, count: 4096)
    while stopper.wait(for: STDIN_FILENO) != .stopped {
      let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        // As if the user had ended the show.
        keys.yield(Key("q"))
        return keys.finish()
      }
      for byte in bytes.prefix(count) { if let key = reader.read(byte) { keys.yield(key) } }
      // A terminal sends a sequence at once.
      if let key = reader.close() { keys.yield(key) }
    }
  }
}
