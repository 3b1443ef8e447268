// The fuzz targets in Swift: parsers of external input, for Tests/Live/FuzzProgram.

import SlitScanPlugin

@testable import SlitScanMIDI
@testable import SlitScanOSC
@testable import SlitScanRemote
@testable import SlitScanStage

/// The bytes of an input.
func array(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
  unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
}

/// The parameters of the element, and no presets.
private let dialect: OSCDialect? = (try? InMemoryStage()).map {
  OSCDialect(parameters: $0.parameters, presets: ["One", "Another"])
}

/// Starts GStreamer, and registers the element.
@c(fuzz_begin)
public func fuzzBegin() -> Bool { SlitScanPlugin.isRegistered }

/// A datagram.
@c(fuzz_osc)
public func fuzzOSC(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let datagram = unsafe array(bytes, count)
  guard let dialect, let sender = OSCEndpoint("127.0.0.1", port: 9) else { return }
  for group in OSCPacket.groups(of: datagram) ?? [] {
    for message in group.messages { _ = try? dialect.requests(message, from: sender) }
  }
}

/// A stream in two pieces, and a file of controls.
@c(fuzz_midi)
public func fuzzMIDI(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let stream = unsafe array(bytes, count)
  var decoder = MIDIDecoder(device: 1)
  var queue = MIDIQueue()
  let map = MIDIMap(String(decoding: stream, as: UTF8.self))
  queue.use(map, for: 1)
  for piece in [stream.prefix(count / 2), stream.dropFirst(count / 2)] {
    for delivery in decoder.decode(piece, at: .now) { _ = queue.add(delivery) }
  }
  _ = queue.take()
  // The text of what was read is the text that was written.
  precondition(MIDIMap(map.text).text == map.text)
}

/// A script, and a move of a phone.
@c(fuzz_text)
public func fuzzText(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let text = unsafe String(decoding: array(bytes, count), as: UTF8.self)
  _ = try? ClientMessage(text)
  guard let script = try? MoveScript(text) else { return }
  // The text of what was read is the text that was written.
  let again = try? MoveScript(script.text)
  precondition(again?.text == script.text)
}

/// The fields of a request: its client, origin and code.
@c(fuzz_remote)
public func fuzzRemote(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let lines = unsafe String(decoding: array(bytes, count), as: UTF8.self)
    .split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
  var request = Request()
  request.host = lines.first
  request.origin = lines.dropFirst().first
  request.cookies = lines.dropFirst(2).first
  request.body = lines.last ?? ""
  _ = AccessControl(isLoopback: false, machine: "stage").allows(
    origin: request.origin, host: request.host)
  var pairing = Pairing()
  _ = pairing.knows(request.cookie("slitscan"))
  _ = pairing.pair(with: request.body, from: "", at: .now)
}
