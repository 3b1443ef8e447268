// The protocol of sound sources: microphones, files and a program's own.

import GStreamer

/// A source of sound: a microphone, a file, a tone, or memory.
///
/// Keep the source as long as its element is in use.
public protocol SoundSource: Actor {
  /// A new element with one pad, `src`, which gives raw sound once its pipeline plays.
  ///
  /// - Throws: ``CaptureError/Code/noMicrophone``, ``CaptureError/Code/missingElement`` and others
  ///   that can be told without opening anything.
  func makeSoundElement() async throws(CaptureError) -> Element

  /// The meaning of an error of that element.
  nonisolated func explainSound(_ error: GStreamerError) -> CaptureError
}

extension SoundSource {
  /// The error as it is: the source broke off.
  public nonisolated func explainSound(_ error: GStreamerError) -> CaptureError {
    switch error.code {
    case .noSuchElement, .missingPlugin:
      CaptureError(.missingElement, "A part of GStreamer is not installed.", underlying: error)
    default: CaptureError(.sourceFailed, "The sound source failed.", underlying: error)
    }
  }
}

extension Microphone {
  /// The sources of sound that there are now.
  ///
  /// - Throws: ``CaptureError/Code/missingElement`` where GStreamer does not start.
  public static func devices() async throws(CaptureError) -> [Device] {
    do throws(GStreamerError) {
      return try await DeviceMonitor().devices(of: "Audio/Source")
    } catch {
      throw CaptureError(
        .missingElement, "GStreamer cannot list the microphones.", underlying: error)
    }
  }
}

/// A microphone, or whatever the system records from.
package actor MicrophoneSource: SoundSource {
  private let device: Device?

  /// A microphone, not opened yet.
  ///
  /// - Parameter device: One of ``Microphone/devices()``; nil for the system's choice.
  package init(_ device: Device? = nil) { self.device = device }

  /// The microphone's element, of a microphone that gives sound.
  ///
  /// - Throws: ``CaptureError/Code/noMicrophone``, ``CaptureError/Code/missingElement``,
  ///   ``CaptureError/Code/cancelled``.
  package func makeSoundElement() async throws(CaptureError) -> Element {
    do {
      let source = try makeSource("autoaudiosrc")
      // The system's choice is not made anew, or it might be another one.
      let chosen = try await hear(source)
      return try Element(chaining: [makeSource(chosen), Element("audioconvert")])
    } catch {
      throw .of(error, before: "the microphone was open", explainSound)
    }
  }

  private func makeSource(_ factory: String) throws(GStreamerError) -> Element {
    if let device { return try device.makeElement() }
    return try Element(factory)
  }

  /// Opens a source of sound until it gives some: some of GStreamer's open without a device, and
  /// `autoaudiosrc` is silent where it finds none.
  ///
  /// - Returns: What `autoaudiosrc` has chosen.
  private func hear(_ source: Element) async throws -> String {
    let pipeline = try Pipeline()
    let sink = try AppSink(delivery: .latest(1), isSynchronized: false)
    try await pipeline.add(chain: [source, sink.element])
    var failure: GStreamerError?
    do {
      let stall = StallWatch(source, in: pipeline, isDevice: true)
      try await stall.during { () throws(GStreamerError) in
        try await pipeline.play()
        // The first sample may be all that comes.
        var samples = sink.samples.makeAsyncIterator()
        for _ in 0..<3 {
          guard try await samples.next() != nil else {
            throw GStreamerError(.streamFailed, "It sends no sound.")
          }
        }
      }
    } catch {
      guard error.code != .cancelled else {
        await pipeline.stop()
        throw error
      }
      failure = error
    }
    let chosen = source.children.first?.factoryName ?? ""
    await pipeline.stop()
    guard failure != nil || chosen == "audiotestsrc" else { return chosen }
    throw CaptureError(
      .noMicrophone,
      "There is no microphone that gives sound. Connect one, or end the program that uses it.",
      underlying: failure)
  }

  /// The meaning of an error of the microphone.
  package nonisolated func explainSound(_ error: GStreamerError) -> CaptureError {
    switch error.code {
    case .resourceNotFound, .resourceOpenRead, .resourceBusy:
      CaptureError(
        .noMicrophone, "The microphone is not connected, or in use by another program.",
        underlying: error)
    case .noSuchElement:
      CaptureError(
        .missingElement,
        "No element that records sound is installed. Install gstreamer1.0-plugins-good, or for PipeWire "
          + "gstreamer1.0-pipewire.", underlying: error)
    default: CaptureError(.sourceFailed, "The microphone failed.", underlying: error)
    }
  }
}

/// A tone that needs no microphone.
package actor TestToneSource: SoundSource {
  private let wave: String
  private let frequency: Double
  private let isLive: Bool
  private let count: Int?

  /// A tone.
  ///
  /// - Parameters:
  ///   - wave: One of audiotestsrc's, as `sine` or `ticks`.
  ///   - frequency: In hertz.
  ///   - count: How many blocks of 1024 samples; nil for no end.
  ///   - isLive: Whether it comes as time goes by, as from a microphone.
  package init(
    _ wave: String = "sine", frequency: Double = 440, count: Int? = nil, isLive: Bool = true
  ) {
    self.wave = wave
    self.frequency = frequency
    self.count = count
    self.isLive = isLive
  }

  /// An `audiotestsrc` at 48 kHz.
  ///
  /// - Throws: ``CaptureError/Code/sourceFailed`` where there is no such wave.
  package func makeSoundElement() throws(CaptureError) -> Element {
    do throws(GStreamerError) {
      let source = try Element("audiotestsrc")
      try source.set("wave", to: wave)
      try source.set("freq", to: frequency)
      try source.set("is-live", to: isLive)
      if let count { try source.set("num-buffers", to: count) }
      let format = try Element(
        filter: Caps("audio/x-raw,rate=48000,channels=2,layout=interleaved"))
      return try Element(chaining: [source, format])
    } catch {
      throw explainSound(error)
    }
  }
}
