// A pipeline from a launch line, watched from outside: its buffers and its messages.

import CGStreamer
import ElementUnderTest
import Foundation
import LibC
import StreamingThread
import TestClock

@testable import GStreamer

/// The reason why a test could not be done.
struct PipelineError: Error, CustomStringConvertible { let description: String }

/// The times and flags of a buffer that passed a pad.
struct PassedBuffer: Equatable {
  /// Nanoseconds.
  var pts: UInt
  var duration: UInt
  var isDiscont: Bool
  var size: Int

  init(_ buffer: Buffer) {
    pts = buffer.presentationTime.map { UInt($0.nanoseconds) } ?? .max
    duration = buffer.duration.map { UInt($0.nanoseconds) } ?? .max
    isDiscont = buffer.flags.contains(.discontinuity)
    size = buffer.byteCount
  }
}

/// The items that passed a pad, in order.
final class PadRecord<Item>: Sendable {
  private let items = Lock([Item]())
  private let hasMore = NSCondition()

  var passed: [Item] { items.withLock { $0 } }

  func append(_ item: Item) {
    items.withLock { $0.append(item) }
    hasMore.withLock { hasMore.broadcast() }
  }

  /// Waits until the items are as wanted, which is looked at with each that comes.
  func wait(until isMet: ([Item]) throws -> Bool) rethrows {
    hasMore.lock()
    defer { hasMore.unlock() }
    while !(try items.withLock { try isMet($0) }) { hasMore.wait() }
  }

  /// Waits for so many more items.
  func wait(forMore count: Int) {
    let before = passed.count
    wait { $0.count >= before + count }
  }
}

extension Message {
  /// The sentence of an error or a warning, or the name of the structure.
  var text: String { error?.message ?? structure?.name ?? "" }
}

extension Message.Kind {
  static let instantRateRequest = Self(rawValue: GST_MESSAGE_INSTANT_RATE_REQUEST.rawValue)
  static let propertyNotify = Self(rawValue: GST_MESSAGE_PROPERTY_NOTIFY.rawValue)
}

/// A pipeline from a launch line, whose slitscan must be called `scan`, other elements as asked for.
///
/// Unlike `Pipeline`, it waits for states and messages on the thread of the test, and without limit. So does its
/// video for its map, unless a test turns the clock of the limits: what waited in vain would not end.
@safe final class TestPipeline {
  let pipeline: UnsafeMutablePointer<GstElement>
  /// The element under test.
  let scan: Element
  /// The buffers that slitscan sent, and those that it got.
  let output = PadRecord<PassedBuffer>()
  private let input = PadRecord<PassedBuffer>()

  /// - Parameters:
  ///   - clock: What the pipeline plays by, if anything in it goes by time.
  ///   - limits: What the limits of waits go by; nil for the system's clock.
  init(
    _ line: String, clock: TestClock? = nil, limits: TestClock? = ElementUnderTest.standing
  ) throws {
    guard ElementUnderTest.isRegistered else { throw PipelineError(description: "no GStreamer") }
    var error: UnsafeMutablePointer<GError>?
    guard let pipeline = unsafe gst_parse_launch("pipeline. ( \(line) )", &error) else {
      let message = unsafe String(cString: error?.pointee.message ?? strdup("?"))
      unsafe g_clear_error(&error)
      throw PipelineError(description: message)
    }
    unsafe g_clear_error(&error)
    unsafe gst_object_ref_sink(pipeline)
    unsafe self.pipeline = pipeline
    unsafe clock?.clock.drive(ObjectReference(retaining: pipeline))
    if let limits { unsafe ElementUnderTest.setLimits(of: pipeline, to: limits) }
    scan = try unsafe Element(retaining: pipeline).element(named: "scan")
    for (name, record) in [("src", output), ("sink", input)] {
      try scan.pad(name).addProbe(.buffer) { item in
        if case .buffer(let buffer) = item { record.append(PassedBuffer(buffer)) }
        return .pass
      }
    }
  }

  deinit {
    unsafe gst_element_set_state(pipeline, GST_STATE_NULL)
    unsafe gst_object_unref(pipeline)
  }

  func element(_ name: String) throws -> Element {
    try unsafe Element(retaining: pipeline).element(named: name)
  }

  /// Puts an element in.
  func add(_ element: Element) throws { try unsafe Element(retaining: pipeline).add(element) }

  /// Takes an element out.
  func remove(_ element: Element) {
    let bin = unsafe UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
    _ = unsafe element.withGstElement { unsafe gst_bin_remove(bin, $0) }
  }

  // MARK: States

  /// Changes the state and waits until that is done.
  func go(to state: GstState) throws {
    if unsafe gst_element_set_state(pipeline, state) == GST_STATE_CHANGE_FAILURE {
      throw PipelineError(description: "the state change is refused")
    }
    if settle() == GST_STATE_CHANGE_FAILURE {
      throw PipelineError(description: "the state change has failed")
    }
  }

  /// Waits until a change of state is done.
  @discardableResult
  func settle() -> GstStateChangeReturn { unsafe gst_element_get_state(pipeline, nil, nil, .max) }

  /// Starts playing and returns at once.
  func start() throws {
    if unsafe gst_element_set_state(pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE {
      throw PipelineError(description: "the state change is refused")
    }
  }

  /// Plays until the stream ends.
  ///
  /// - Returns: The messages that came, the last of which is the end or an error.
  func playToEnd() throws -> [Message] {
    try start()
    return try messagesToEnd()
  }

  /// Seeks, flushing, to a time in nanoseconds.
  func seek(to time: Int) throws {
    let flags = GstSeekFlags(
      rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
    guard unsafe gst_element_seek_simple(pipeline, GST_FORMAT_TIME, flags, time) != 0 else {
      throw PipelineError(description: "the seek is refused")
    }
    settle()
  }

  /// Seeks to a part of the stream, from and to times in nanoseconds.
  func seek(
    from start: Int, to end: Int, rate: Double = 1,
    flags: [GstSeekFlags] = [GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_ACCURATE]
  ) throws {
    let flags = GstSeekFlags(rawValue: flags.reduce(0) { $0 | $1.rawValue })
    guard
      unsafe gst_element_seek(
        pipeline, rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, start, GST_SEEK_TYPE_SET, end)
        != 0
    else { throw PipelineError(description: "the seek is refused") }
    settle()
  }

  /// Where the pipeline is, in nanoseconds.
  func position() throws -> Int {
    var position: gint64 = -1
    guard unsafe gst_element_query_position(pipeline, GST_FORMAT_TIME, &position) != 0 else {
      throw PipelineError(description: "no position")
    }
    return Int(position)
  }

  /// The duration that the pipeline reports, in nanoseconds.
  func duration() throws -> Int {
    var duration: gint64 = -1
    guard unsafe gst_element_query_duration(pipeline, GST_FORMAT_TIME, &duration) != 0 else {
      throw PipelineError(description: "no duration")
    }
    return Int(duration)
  }

  /// Ends the stream as an application does.
  func endStream() { unsafe gst_element_send_event(pipeline, gst_event_new_eos()) }

  // MARK: Bus

  /// The messages up to the end of the stream or an error.
  func messagesToEnd() throws -> [Message] {
    var messages: [Message] = []
    repeat {
      messages.append(try nextMessage())
    } while messages.last?.kind != .eos && messages.last?.kind != .error
    return messages
  }

  func nextMessage() throws -> Message {
    let bus = unsafe gst_element_get_bus(pipeline)
    defer { unsafe gst_object_unref(bus) }
    guard let message = unsafe gst_bus_timed_pop(bus, .max) else {
      throw PipelineError(description: "the bus is flushed")
    }
    return unsafe Message(MiniObject(taking: message))
  }

  /// The next message of a kind, which comes before an error or the end.
  @discardableResult
  func nextMessage(_ kind: Message.Kind) throws -> Message {
    while true {
      let message = try nextMessage()
      if message.kind == kind { return message }
      guard message.kind != .error, message.kind != .eos else {
        throw PipelineError(description: "\(message)")
      }
    }
  }

  // MARK: What flowed

  /// The buffers that slitscan sent.
  var sent: [PassedBuffer] { output.passed }

  /// The buffers that slitscan got.
  var received: [PassedBuffer] { input.passed }

  /// The caps that are on a pad of slitscan.
  func caps(onPad name: String) throws -> String { try scan.pad(name).caps.map { "\($0)" } ?? "" }

  // MARK: Properties

  /// Sets a property of an element from text.
  func set(_ name: String, _ value: String, of element: String = "scan") throws {
    try self.element(element).set(name, to: value)
  }

  /// A property of slitscan as text.
  func property(_ name: String) throws -> String { try scan.get(name, as: Value.self).text }

  func statistic(_ name: String) throws -> Int {
    guard let number: Int = try scan.get("stats", as: Structure.self).get(name) else {
      throw PipelineError(description: "no statistic \(name)")
    }
    return number
  }
}
