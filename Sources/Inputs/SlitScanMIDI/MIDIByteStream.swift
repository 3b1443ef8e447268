// A MIDI byte stream reads raw MIDI from a device node or a FIFO.

import LibC
import SlitScanStage
import StreamingThread

/// Reads the bytes of a FIFO or device node as they are written.
///
/// Writers of a FIFO may come and go. A device node that is unplugged is opened again when it is back.
enum MIDIByteStream {
  static func listener(path: String, _ intake: MIDIIntake) -> ListenerThread {
    ListenerThread("midi-stream", on: intake.clock) { stopper throws(StageError) in
      let file = try OpenFile(path)
      return { listen(to: file, path, intake, stopper) }
    }
  }

  private static func listen(
    to first: OpenFile, _ path: String, _ intake: MIDIIntake, _ stopper: Stopper
  ) {
    var file: OpenFile? = first
    while true {
      if let open = file {
        guard read(open, path, intake, stopper) else { return }
        file = nil
      } else {
        guard stopper.wait() != .stopped else { return }
        file = try? OpenFile(path)
      }
    }
  }

  /// - Returns: Whether to look for it again.
  private static func read(
    _ open: OpenFile, _ path: String, _ intake: MIDIIntake, _ stopper: Stopper
  ) -> Bool {
    let device = intake.number()
    intake.add([.appeared(device, name: path.fileName)])
    if open.isWritable { intake.setOutlet(open, for: device) }
    defer {
      intake.setOutlet(nil, for: device)
      intake.add([.vanished(device)])
    }
    var file = open
    var decoder = MIDIDecoder(device: device)
    while true {
      switch stopper.wait(for: file.descriptor) {
      case .stopped: return false
      case .time: if !file.isStill(path) { return true }
      case .ready:
        switch file.read() {
        case .bytes(let bytes): intake.add(decoder.decode(bytes, at: intake.clock.now))
        case .nothing: break
        case .end:
          // The new end is opened before the old one is closed, so that no writer finds the FIFO without a reader.
          guard file.isFIFO, let next = try? OpenFile(path) else { return true }
          file = next
          decoder = MIDIDecoder(device: device)
          intake.add([.restarted(device)])
        }
      }
    }
  }
}

/// A file that is open for reading, and a device for writing if it can be written, and never waited for.
private final class OpenFile: MIDIOutlet {
  enum Reading {
    case bytes([UInt8])
    case nothing
    case end
  }

  let descriptor: CInt
  let isFIFO: Bool
  /// Whether it is a device that takes messages, too.
  let isWritable: Bool
  private let identity: (dev_t, ino_t)
  /// Bytes that the device has not taken yet: half a message would garble the next one.
  private let rest = Lock<[UInt8]>([])

  /// - Throws: ``StageError/Code/inputFailed``, which says what to do.
  init(_ path: String) throws(StageError) {
    let flags = O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    var kind = stat()
    let isDevice = unsafe stat(path, &kind) == 0 && kind.st_mode & S_IFMT == S_IFCHR
    let both = isDevice ? unsafe open(path, O_RDWR | flags) : -1
    isWritable = both >= 0
    descriptor = both >= 0 ? both : unsafe open(path, O_RDONLY | flags)
    guard descriptor >= 0 else {
      throw StageError(.inputFailed, "No MIDI from \(path): \(systemReason()).")
    }
    var status = stat()
    let isKnown = unsafe fstat(descriptor, &status) == 0
    isFIFO = isKnown && status.st_mode & S_IFMT == S_IFIFO
    identity = (status.st_dev, status.st_ino)
    guard isFIFO || (isKnown && status.st_mode & S_IFMT == S_IFCHR) else {
      // All there is to it is known: it is closed by its end.
      throw StageError(
        .inputFailed,
        "No MIDI from \(path): it is neither a device nor a FIFO. Make one with `mkfifo \(path)`.")
    }
    var terminal = termios()
    // A serial port must not take bytes for commands; its speed stays what it is.
    if unsafe tcgetattr(descriptor, &terminal) == 0 {
      unsafe cfmakeraw(&terminal)
      unsafe tcsetattr(descriptor, TCSANOW, &terminal)
    }
  }

  deinit { close(descriptor) }

  /// Whether a path leads to this file.
  func isStill(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && (status.st_dev, status.st_ino) == identity
  }

  func send(_ messages: [[UInt8]]) -> Bool {
    rest.withLock { rest in
      rest.removeFirst(write(rest))
      guard rest.isEmpty else { return false }
      rest = Array(messages.joined())
      rest.removeFirst(write(rest))
      return true
    }
  }

  /// - Returns: How many bytes could be written at once.
  private func write(_ bytes: [UInt8]) -> Int {
    bytes.isEmpty ? 0 : max(0, unsafe Glibc.write(descriptor, bytes, bytes.count))
  }

  func read() -> Reading {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
    if count > 0 { return .bytes(Array(bytes.prefix(count))) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
  }
}
