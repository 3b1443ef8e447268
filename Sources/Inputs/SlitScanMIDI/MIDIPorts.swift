// The MIDI ports of ALSA and JACK, read by RtMidi.

import CRtMidi
import LibC
import SlitScanStage
import StreamingThread

/// Listens to all ports of a system, or to those with some text in their names.
///
/// The list of ports is looked at again and again: a device that is plugged in is heard, and one that was
/// unplugged is heard again when it is back.
enum MIDIPorts {
  enum System: Sendable {
    case alsa
    case jack
  }

  static func listener(_ system: System, name: String?, _ intake: MIDIIntake) -> ListenerThread {
    ListenerThread("midi-ports", on: intake.clock) { stopper throws(StageError) in
      let ports = PortList(system, name: name, intake, stopper)
      try ports.open()
      return {
        var reason = Stopper.Reason.time
        while reason != .stopped {
          if reason == .time { ports.look() }
          ports.send()
          reason = stopper.wait()
        }
      }
    }
  }

  /// The place of the port that takes messages for the device of a port that sends them: the one of the same
  /// name, in which JACK has `playback` for `capture`, or else the only one of the same client.
  static func output(of port: String, among ports: [String]) -> Int? {
    let names = [port, port.replacing("capture", with: "playback")]
    if let index = names.lazy.compactMap({ ports.firstIndex(of: $0) }).first { return index }
    let clients = names.map { $0.prefix { $0 != ":" } + ":" }
    let same = ports.indices.filter { index in clients.contains { ports[index].hasPrefix($0) } }
    return same.count == 1 ? same.first : nil
  }
}

/// The ports that are there, and those that are listened to; for one thread.
private final class PortList {
  private let system: MIDIPorts.System
  private let name: String?
  private let intake: MIDIIntake
  private let stopper: Stopper
  /// The listeners go first, then the list, then the server.
  private var server: JackServer?
  private var list: RtMidiPort?
  private var connections: [String: PortConnection] = [:]

  init(_ system: MIDIPorts.System, name: String?, _ intake: MIDIIntake, _ stopper: Stopper) {
    self.system = system
    self.name = name
    self.intake = intake
    self.stopper = stopper
  }

  deinit { closeAll() }

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
    list = .input(system)
    guard list != nil else {
      throw StageError(.inputFailed, "No MIDI: RtMidi finds no \(system).")
    }
  }

  private func closeAll() {
    for (key, connection) in connections.sorted(by: { $0.key < $1.key }) {
      close(key, connection)
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
      close(key, connection)
    }
    for (index, port) in wanted where connections[port] == nil {
      connections[port] = PortConnection(system, index: index, port: port, intake)
    }
    for connection in connections.values { connection.lookForOutput(stopper) }
  }

  private func close(_ key: String, _ connection: PortConnection) {
    intake.setOutlet(nil, for: connection.device)
    connections[key] = nil
    intake.add([.vanished(connection.device)])
  }

  func send() {
    // JACK's own thread takes it on: where that is gone, it would be waited for without end.
    guard server?.isRunning != false else { return }
    for connection in connections.values { connection.send() }
  }

  private func isWanted(_ port: String) -> Bool {
    // Not our own.
    guard !port.hasPrefix(RtMidiPort.client) else { return false }
    return name.map { port.lowercased().contains($0.lowercased()) } ?? true
  }
}

/// One port that is listened to, and the one of the same device that takes messages.
private final class PortConnection {
  let device: Int
  private let system: MIDIPorts.System
  private let port: String
  private let intake: MIDIIntake
  private var input: RtMidiPort?
  private var output: RtMidiPort?
  /// Whether the output is open.
  private var isOpened = false
  private var outlet: PortOutlet?
  private let receiver: Receiver

  /// Nil where the port is gone meanwhile.
  init?(_ system: MIDIPorts.System, index: Int, port: String, _ intake: MIDIIntake) {
    device = intake.number()
    self.system = system
    self.port = port
    self.intake = intake
    receiver = Receiver(device: device, intake)
    guard let input = RtMidiPort.input(system) else { return nil }
    intake.add([.appeared(device, name: Self.name(of: port))])
    input.open(index, for: receiver)
    // A port that has moved up in the list is another device.
    guard input.isOpen, input.ports.indices.contains(index), input.ports[index] == port else {
      intake.add([.vanished(device)])
      return nil
    }
    self.input = input
  }

  /// Opens the port for messages to the device, once there is one; uses it from the next look on.
  ///
  /// JACK connects ports with its next cycle, and what is sent before is lost; a device that was just plugged in
  /// may not listen yet either.
  func lookForOutput(_ stopper: Stopper) {
    guard outlet == nil else { return }
    if isOpened {
      outlet = PortOutlet(stopper)
      return intake.setOutlet(outlet, for: device)
    }
    if output == nil { output = .output(system) }
    guard let output, let index = MIDIPorts.output(of: port, among: output.ports) else { return }
    output.open(index)
    isOpened = output.isOpen
    if !isOpened { self.output = nil }
  }

  func send() {
    for message in outlet?.take() ?? [] { output?.send(message) }
  }

  /// The name of a device: without the numbers that ALSA puts behind, which change.
  private static func name(of port: String) -> String {
    guard let space = port.lastIndex(of: " "),
      port[space...].dropFirst().allSatisfy({ $0.isNumber || $0 == ":" })
    else { return port }
    return String(port[..<space])
  }
}

/// Messages on their way to the thread of the ports.
private final class PortOutlet: MIDIOutlet {
  /// The most messages that wait; the thread takes them at once unless something holds it up.
  private static let limit = 256

  private let waiting = Lock<[[UInt8]]>([])
  private let stopper: Stopper

  init(_ stopper: Stopper) { self.stopper = stopper }

  func send(_ messages: [[UInt8]]) -> Bool {
    // A port takes one message at a time; those of 14 bits are several.
    let single = messages.flatMap { message in
      stride(from: 0, to: message.count, by: 3).map { Array(message[$0...].prefix(3)) }
    }
    let isTaken = waiting.withLock { waiting in
      guard waiting.count + single.count <= Self.limit else { return false }
      waiting += single
      return true
    }
    stopper.ring()
    return isTaken
  }

  func take() -> [[UInt8]] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
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
    let moment = intake.clock.now
    intake.add(decoder.withLock { $0.decode(bytes, at: moment) })
  }
}

/// RtMidi's end of a port: an input or an output.
///
/// Its own texts of errors are gone when they are read, so they are not read.
@safe
private final class RtMidiPort {
  /// The name that others see for our ports.
  static let client = "slitscan"
  private let device: RtMidiPtr
  private let isInput: Bool
  /// RtMidi's thread has a pointer to it.
  private var receiver: Receiver?

  /// An input of a system; nil where RtMidi has no such system.
  static func input(_ system: MIDIPorts.System) -> RtMidiPort? {
    unsafe RtMidiPort(rtmidi_in_create(system.api, client, 100), isInput: true)
  }

  /// An output of a system; nil where RtMidi has no such system.
  static func output(_ system: MIDIPorts.System) -> RtMidiPort? {
    unsafe RtMidiPort(rtmidi_out_create(system.api, client), isInput: false)
  }

  @unsafe
  private init?(_ device: RtMidiPtr?, isInput: Bool) {
    guard let device = unsafe device else { return nil }
    unsafe self.device = device
    self.isInput = isInput
    // deinit gives it back.
    guard isOpen, unsafe device.pointee.ptr != nil else { return nil }
  }

  // After this, nothing is called any more: RtMidi waits for its thread.
  deinit { if isInput { unsafe rtmidi_in_free(device) } else { unsafe rtmidi_out_free(device) } }

  var isOpen: Bool { unsafe device.pointee.ok }

  /// The names of the ports that RtMidi finds.
  var ports: [String] {
    let count = unsafe rtmidi_get_port_count(device)
    // An error is the highest number. More ports than these are not looked at.
    guard count != UInt32.max else { return [] }
    return (0..<min(count, 256)).map { index in
      var bytes = [CChar](repeating: 0, count: 1024)
      var length = CInt(bytes.count)
      guard unsafe rtmidi_get_port_name(device, index, &bytes, &length) >= 0 else { return "" }
      return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }

  /// Listens to a port.
  func open(_ index: Int, for receiver: Receiver) {
    self.receiver = receiver
    // Clocks are wanted; system-exclusive data and the sign of life that says nothing are not.
    unsafe rtmidi_in_ignore_types(device, true, false, true)
    unsafe rtmidi_in_set_callback(device, received, Unmanaged.passUnretained(receiver).toOpaque())
    unsafe rtmidi_open_port(device, UInt32(clamping: index), "in")
  }

  /// Opens a port for messages.
  func open(_ index: Int) { unsafe rtmidi_open_port(device, UInt32(clamping: index), "out") }

  func send(_ message: [UInt8]) {
    _ = unsafe rtmidi_out_send_message(device, message, CInt(message.count))
  }
}

extension MIDIPorts.System {
  fileprivate var api: RtMidiApi {
    self == .alsa ? RTMIDI_API_LINUX_ALSA : RTMIDI_API_UNIX_JACK
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
