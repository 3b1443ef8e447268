// The MIDI intake passes messages from device threads to the actor that performs them.

import GStreamer
import StreamingThread

/// Takes what threads bring, each in its order, and wakes the one reader.
///
/// - Important: Called on threads of devices, JACK's real-time thread among them. It takes one lock that
///   is held only as long as it takes to put something in a queue, or to swap the queue.
final class MIDIIntake: Sendable {
  private struct State {
    var queue = MIDIQueue()
    var devices = 0
    var outlets: [Int: any MIDIOutlet] = [:]
  }

  /// The clock that says when something came.
  let clock: any SteadyClock
  private let state = Lock(State())
  private let bell: AsyncStream<Void>.Continuation
  /// Says that something waits; for one reader.
  let calls: AsyncStream<Void>

  init(clock: any SteadyClock = ContinuousClock()) {
    self.clock = clock
    // However often it rings, the reader takes everything when it comes.
    (calls, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  deinit { bell.finish() }

  /// A number for a device that appears.
  func number() -> Int {
    state.withLock { state in
      state.devices += 1
      return state.devices
    }
  }

  /// Says where messages to a device go; nil for nowhere.
  func setOutlet(_ outlet: (any MIDIOutlet)?, for device: Int) {
    state.withLock { $0.outlets[device] = outlet }
    if outlet != nil { add([.listens(device)]) }
  }

  /// - Returns: Whether they were taken; a device that does not listen takes none.
  func send(_ messages: [[UInt8]], to device: Int) -> Bool {
    state.withLock { $0.outlets[device] }?.send(messages) ?? false
  }

  func add(_ deliveries: some Sequence<MIDIDelivery>) {
    let isFirst = state.withLock { state in
      // All of them are added, whatever comes of the first.
      deliveries.reduce(false) { state.queue.add($1) || $0 }
    }
    if isFirst { bell.yield() }
  }

  func take() -> (deliveries: [MIDIDelivery], lost: Int) { state.withLock { $0.queue.take() } }

  func use(_ map: MIDIMap?, for device: Int) { state.withLock { $0.queue.use(map, for: device) } }

  func setLearning(_ isLearning: Bool) { state.withLock { $0.queue.isLearning = isLearning } }
}

/// Takes messages to a device.
protocol MIDIOutlet: Sendable {
  /// Sends messages, each of them whole, without waiting for the device.
  ///
  /// - Returns: Whether they were taken.
  func send(_ messages: [[UInt8]]) -> Bool
}

struct MIDIDecoder: Sendable {
  let device: Int
  private var parser = MIDIParser()
  private var assembler = MIDIAssembler()

  init(device: Int) { self.device = device }

  /// The messages that some bytes complete, which came at a moment.
  mutating func decode(_ bytes: some Sequence<UInt8>, at moment: ContinuousClock.Instant)
    -> [MIDIDelivery]
  {
    parser.parse(bytes).flatMap { message -> [MIDIDelivery] in
      switch message {
      case .clock, .start, .resume, .stop, .songPosition: [.clock(device, message, moment)]
      default: assembler.events(of: message).map { .event(device, $0, first: nil) }
      }
    }
  }
}
