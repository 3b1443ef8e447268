// The MIDI ports of ALSA and JACK, read by RtMidi.

import CRtMidi
import LibC
import StreamingThread

/// Listens to all ports of a system, or to those with some text in their names.
///
/// The list of ports is looked at again and again: a device that is plugged in is heard, and one that was
/// unplugged is heard again when it is back.
final class MIDIPorts: MIDIListener {
  /// The system that has the ports.
  enum System: Sendable {
    case alsa
    case jack
  }

  /// The time between two looks at the list, in seconds.
  private static let interval = 1.5

  private let system: System
  private let name: String?
  private let intake: MIDIIntake
  private let thread = ListenerThread()

  init(_ system: System, name: String?, _ intake: MIDIIntake) {
    self.system = system
    self.name = name
    self.intake = intake
  }

  func start() async throws(StageError) {
    let system = system
    let name = name
    let intake = intake
    try await thread.start("midi-ports") { stopper, ready in
      let ports = PortList(system, name: name, intake)
      do throws(StageError) {
        try ports.open()
      } catch {
        return ready(.failure(error))
      }
      ready(.success(()))
      repeat { ports.look() } while stopper.wait(seconds: Self.interval) != .stopped
    }
  }

  func stop() async { await thread.stop() }
}

/// The ports that are there, and those that are listened to; for one thread.
private final class PortList {
  private let system: MIDIPorts.System
  private let name: String?
  private let intake: MIDIIntake
  /// First those who listen go, then the list, then the server.
  private var server: JackServer?
  private var list: RtMidiIn?
  private var connections: [String: PortConnection] = [:]

  init(_ system: MIDIPorts.System, name: String?, _ intake: MIDIIntake) {
    self.system = system
    self.name = name
    self.intake = intake
  }

  deinit { closeAll() }

  /// Finds the system.
  ///
  /// - Throws: ``StageError/Code/inputFailed``.
  func open() throws(StageError) {
    switch system {
    case .alsa:
      // RtMidi would say so, too, but on stderr.
      let path = "/dev/snd/seq"
      guard unsafe access(path, R_OK | W_OK) == 0 else {
        throw StageError(
          .inputFailed,
          "No MIDI from ALSA: \(path): \(systemReason()). `modprobe snd-seq` makes it, and the group audio may use"
            + " it. JACK, PipeWire or a raw device such as /dev/snd/midiC1D0 are other ways.")
      }
    case .jack:
      server = JackServer()
      guard server != nil else {
        throw StageError(
          .inputFailed,
          "No MIDI from JACK: its server is not running. Start it, or where PipeWire is in its place, run"
            + " this by `pw-jack`.")
      }
    }
    list = RtMidiIn(system)
    guard list != nil else {
      throw StageError(.inputFailed, "No MIDI: RtMidi finds no \(system).")
    }
  }

  private func closeAll() {
    for (key, connection) in connections.sorted(by: { $0.key < $1.key }) {
      connections[key] = nil
      intake.add([.vanished(connection.device)])
    }
    list = nil
    server = nil
  }

  /// Goes by what is there now.
  func look() {
    if server?.isRunning == false { closeAll() }
    if list == nil { try? open() }
    let ports = list?.ports ?? []
    let wanted = ports.enumerated().filter { isWanted($0.element) }
    for (key, connection) in connections where !wanted.contains(where: { $0.element == key }) {
      connections[key] = nil
      intake.add([.vanished(connection.device)])
    }
    for (index, port) in wanted where connections[port] == nil {
      connections[port] = PortConnection(system, index: index, port: port, intake)
    }
  }

  private func isWanted(_ port: String) -> Bool {
    // Not our own.
    guard !port.hasPrefix(RtMidiIn.client) else { return false }
    return name.map { port.lowercased().contains($0.lowercased()) } ?? true
  }
}

/// One port that is listened to.
private final class PortConnection {
  let device: Int
  private var input: RtMidiIn?
  private let receiver: Receiver

  /// Nil where the port is gone meanwhile.
  init?(_ system: MIDIPorts.System, index: Int, port: String, _ intake: MIDIIntake) {
    device = intake.number()
    receiver = Receiver(device: device, intake)
    guard let input = RtMidiIn(system) else { return nil }
    intake.add([.appeared(device, name: Self.name(of: port))])
    input.open(index, for: receiver)
    // A port that has moved up in the list is another device.
    guard input.isOpen, input.ports.indices.contains(index), input.ports[index] == port else {
      intake.add([.vanished(device)])
      return nil
    }
    self.input = input
  }

  /// The name of a device: without the numbers that ALSA puts behind, which change.
  private static func name(of port: String) -> String {
    guard let space = port.lastIndex(of: " "),
      port[space...].dropFirst().allSatisfy({ $0.isNumber || $0 == ":" })
    else { return port }
    return String(port[..<space])
  }
}

/// Takes what RtMidi brings on its own thread.
private final class Receiver: Sendable {
  private let decoder: Lock<MIDIDecoder>
  private let intake: MIDIIntake

  init(device: Int, _ intake: MIDIIntake) {
    decoder = Lock(MIDIDecoder(device: device))
    self.intake = intake
  }

  func receive(_ bytes: some Sequence<UInt8>) {
    let moment = ContinuousClock.now
    intake.add(decoder.withLock { $0.decode(bytes, at: moment) })
  }
}

/// RtMidi's input.
///
/// Its own texts of errors are gone when they are read, so they are not read.
@safe
private final class RtMidiIn {
  /// The name that others see for our ports.
  static let client = "slitscan"
  /// The most ports that are looked at.
  private static let limit: UInt32 = 256

  private let input: RtMidiInPtr
  /// RtMidi's thread has a pointer to it.
  private var receiver: Receiver?

  /// Nil where RtMidi has no such system.
  init?(_ system: MIDIPorts.System) {
    let api = system == .alsa ? RTMIDI_API_LINUX_ALSA : RTMIDI_API_UNIX_JACK
    guard let input = unsafe rtmidi_in_create(api, Self.client, 100) else { return nil }
    unsafe self.input = input
    guard unsafe input.pointee.ok, unsafe input.pointee.ptr != nil else {
      // deinit gives it back.
      return nil
    }
  }

  // After this, nothing is called any more: RtMidi waits for its thread.
  deinit { unsafe rtmidi_in_free(input) }

  var isOpen: Bool { unsafe input.pointee.ok }

  /// The names of the ports.
  var ports: [String] {
    let count = unsafe rtmidi_get_port_count(input)
    // An error is the highest number.
    guard count != UInt32.max else { return [] }
    return (0..<min(count, Self.limit)).map { name(of: $0) }
  }

  private func name(of index: UInt32) -> String {
    var bytes = [CChar](repeating: 0, count: 1024)
    var length = CInt(bytes.count)
    guard unsafe rtmidi_get_port_name(input, index, &bytes, &length) >= 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Listens to a port.
  func open(_ index: Int, for receiver: Receiver) {
    self.receiver = receiver
    // Clocks are wanted; system-exclusive data and the sign of life that says nothing are not.
    unsafe rtmidi_in_ignore_types(input, true, false, true)
    unsafe rtmidi_in_set_callback(input, received, Unmanaged.passUnretained(receiver).toOpaque())
    unsafe rtmidi_open_port(input, UInt32(clamping: index), "in")
  }
}

/// An `RtMidiCCallback`, on a thread of RtMidi or JACK.
private func received(
  _ time: Double, _ bytes: UnsafePointer<UInt8>?, _ count: Int, _ data: UnsafeMutableRawPointer?
) {
  guard let data = unsafe data, let bytes = unsafe bytes else { return }
  let receiver = unsafe Unmanaged<Receiver>.fromOpaque(data).takeUnretainedValue()
  unsafe receiver.receive(UnsafeBufferPointer(start: bytes, count: count))
}
