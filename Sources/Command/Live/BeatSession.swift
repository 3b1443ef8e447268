// A beat session has the tempo of a show follow its sound.

import CAubio
import GStreamer
import SlitScanCapture
import SlitScanStage

/// The tempo of a performance from the beats of its sound, while the move `follow-sound` says so.
actor BeatSession {
  private let performance: Performance
  private let capture: CapturePipeline
  private let clock: any SteadyClock
  private var detector: BeatDetector?
  private var follower = BeatFollower()
  /// When the detector's first sample was, as buffers come in the middle.
  private var start: ContinuousClock.Instant?

  init(
    _ performance: Performance, _ capture: CapturePipeline,
    on clock: any SteadyClock = ContinuousClock()
  ) {
    self.performance = performance
    self.capture = capture
    self.clock = clock
  }

  /// Listens, as long as that is wanted, until the task is cancelled.
  func run() async {
    let changes = performance.changes
    var listening: Task<Void, Never>?
    if await performance.state.followsSound { listening = listen() }
    for await change in changes {
      guard case .followsSound(let isOn) = change else { continue }
      listening?.cancel()
      listening = isOn ? listen() : nil
    }
    listening?.cancel()
  }

  private func listen() -> Task<Void, Never> {
    detector = nil
    follower = BeatFollower()
    return Task { [weak self, capture, clock] in
      do {
        for try await sample in await capture.soundSamples() {
          await self?.hear(sample, at: clock.now)
        }
      } catch {
        self?.performance.tell(.warning("The tempo does not follow the sound: \(error)"))
      }
    }
  }

  private func hear(_ sample: Sample, at moment: ContinuousClock.Instant) async {
    guard let sound = MonoSound(sample) else { return }
    if detector?.rate != sound.rate {
      detector = BeatDetector(rate: sound.rate)
      start = nil
    }
    guard let beats = detector?.beats(in: sound.samples), let position = detector?.position else {
      return
    }
    // Buffers come unevenly, and now and then one is missing.
    let seen = moment - .seconds(position)
    let known = start ?? seen
    let late = seen - known
    start = abs(late / .seconds(1)) > 0.2 ? seen : known + late / 50
    guard let start else { return }
    for beat in beats {
      let present = await performance.state.tempo
      let tempo = follower.hear(
        beatsPerMinute: beat.beatsPerMinute, at: start + .seconds(position - beat.age),
        after: present)
      if let tempo { await performance.followSound(to: tempo) }
    }
  }
}

/// The sound of a sample, all channels together.
private struct MonoSound {
  let rate: Int
  private(set) var samples: [Float] = []

  /// Nil for a format that a metered sound does not have.
  init?(_ sample: Sample) {
    guard let caps = sample.caps, let info = try? AudioInfo(caps), let buffer = sample.buffer,
      let format = caps.structures.first?.get("format", as: String.self),
      let mapping = try? buffer.map()
    else { return nil }
    rate = info.sampleRate
    let bytes = mapping.bytes
    let width = info.bytesPerFrame / info.channels
    for frame in 0..<(bytes.byteCount / info.bytesPerFrame) {
      var sum = 0.0
      for channel in 0..<info.channels {
        let offset = frame * info.bytesPerFrame + channel * width
        switch format {
        case "S16LE":
          sum +=
            Double(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Int16.self))
            / 0x1p15
        case "S32LE":
          sum +=
            Double(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Int32.self))
            / 0x1p31
        case "F32LE":
          sum += Double(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Float.self))
        case "F64LE":
          sum += unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Double.self)
        default: return nil
        }
      }
      samples.append(Float(sum / Double(info.channels)))
    }
  }
}

/// aubio's detector of beats (Brossier 2006; the beats by Davies and Plumbley, 2007).
@safe
private final class BeatDetector {
  /// The window of the onset detection, and its step, in frames of sound.
  private static let (window, hop) = (1024, 512)
  /// The mean square of what is not louder than silence: 50 dB below full scale.
  private static let silence: Float = 1e-5
  /// The part of the loudness that is left after each hop; between two drums there is no silence yet.
  private static let decay: Float = 0.96

  /// Frames of sound a second.
  let rate: Int
  private let tempo: OpaquePointer
  private let input: UnsafeMutablePointer<fvec_t>
  private let output: UnsafeMutablePointer<fvec_t>
  /// The frames in `input`, and those of all hops before.
  private var (filled, heard) = (0, 0)

  /// The sum of squares in `input`, and the mean square of the loudest hop of the last seconds.
  private var (power, loudness) = (Float(0), Float(0))

  /// The duration of the sound so far, in seconds.
  var position: Double { Double(heard + filled) / Double(rate) }

  /// Nil for a rate that aubio does not take.
  init?(rate: Int) {
    guard (8000...192_000).contains(rate),
      let tempo = unsafe new_aubio_tempo(
        "default", uint_t(Self.window), uint_t(Self.hop), uint_t(rate))
    else { return nil }
    guard let input = unsafe new_fvec(uint_t(Self.hop)), let output = unsafe new_fvec(1) else {
      return nil
    }
    self.rate = rate
    unsafe self.tempo = tempo
    unsafe self.input = input
    unsafe self.output = output
  }

  deinit {
    unsafe del_aubio_tempo(tempo)
    unsafe del_fvec(input)
    unsafe del_fvec(output)
  }

  /// The beats that some more sound has, and the seconds from each to the last sample.
  func beats(in samples: [Float]) -> [(beatsPerMinute: Double, age: Double)] {
    var beats: [(tempo: Double, frame: UInt32)] = []
    for sample in samples {
      let sample = sample.isFinite ? sample : 0
      unsafe fvec_set_sample(input, sample, uint_t(filled))
      filled += 1
      power += sample * sample
      guard filled == Self.hop else { continue }
      filled = 0
      loudness = max(power / Float(Self.hop), loudness * Self.decay)
      power = 0
      unsafe aubio_tempo_do(tempo, input, output)
      heard += Self.hop
      guard loudness > Self.silence, unsafe fvec_get_sample(output, 0) != 0 else { continue }
      beats.append(
        (Double(unsafe aubio_tempo_get_bpm(tempo)), unsafe aubio_tempo_get_last(tempo)))
    }
    let end = UInt32(truncatingIfNeeded: heard + filled)
    // aubio counts in 32 bits, which are over after a day.
    return beats.map { beat in
      (beat.tempo, Double(Int32(bitPattern: end &- beat.frame)) / Double(rate))
    }
  }
}
