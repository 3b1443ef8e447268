// The protocol of frame sources: cameras, files, streams, test patterns and a program's own.

import GStreamer

/// A source of frames that a session has no part for.
///
/// ```swift
/// actor Desktop: FrameSource {
///   func makeElement() throws(CaptureError) -> Element {
///     do throws(GStreamerError) {
///       return try Element(binOf: "ximagesrc ! videoconvert")
///     } catch {
///       throw explain(error)
///     }
///   }
/// }
/// try await session.update { CustomVideo(from: Desktop()); Scan(map: .radial); Preview() }
/// ```
public protocol FrameSource: Actor {
  /// A new element with one pad, `src`, which gives raw video once its pipeline plays.
  ///
  /// Devices are opened by the pipeline, and closed when it stops.
  ///
  /// - Throws: ``CaptureError/Code/noCamera``, ``CaptureError/Code/missingElement`` and others that
  ///   can be told without opening anything.
  func makeElement() async throws(CaptureError) -> Element

  /// The meaning of an error of that element.
  nonisolated func explain(_ error: GStreamerError) -> CaptureError
}

extension FrameSource {
  /// The frames from now on.
  ///
  /// The device is closed when the sequence ends, when the task that reads is cancelled, and when
  /// the last reference to the sequence is gone.
  ///
  /// - Parameters:
  ///   - delivery: What happens when frames come faster than they are read.
  ///   - clock: The clock that frames come by; nil for the one that the elements choose.
  ///   - last: How much of the end of a file is read; nil for all of it.
  /// - Throws: Why the source does not start; ``CaptureError/Code/cancelled``.
  package func frames(
    delivery: Delivery = .lossless, clock: StreamClock? = nil, last: ClockTime? = nil
  ) async throws(CaptureError) -> Frames {
    let element = try await makeElement()
    element.keepsState = true
    do throws(GStreamerError) {
      let pipeline = try Pipeline(clock: clock)
      // Sources that are live come in time by themselves.
      let sink = try AppSink(delivery: delivery, isSynchronized: false)
      try await pipeline.add(chain: [element, sink.element])
      await pipeline.readAhead()
      var end: ClockTime?
      do throws(GStreamerError) {
        let stall = StallWatch(element, in: pipeline)
        let stopCount = await pipeline.stopCount
        if let last {
          try await stall.during { () throws(GStreamerError) in
            try await pipeline.change(to: .paused, ifStoppedOnly: stopCount)
          }
          guard let length = await pipeline.duration else {
            throw GStreamerError(.refused, "The length of the file is not known.")
          }
          end = length
          try await pipeline.seek(to: length > last ? length - last : .zero)
        }
        try await stall.during { () throws(GStreamerError) in
          try await pipeline.change(to: .playing, ifStoppedOnly: stopCount)
        }
      } catch {
        await pipeline.stop()
        throw error
      }
      return Frames(source: self, pipeline: pipeline, sink: sink, end: end)
    } catch {
      throw .of(error, before: "the source was open", explain)
    }
  }

  /// The error as it is: the source broke off.
  public nonisolated func explain(_ error: GStreamerError) -> CaptureError {
    CaptureError(ofSource: error)
  }

  nonisolated func bin(_ launchLine: String) throws(CaptureError) -> Element {
    do throws(GStreamerError) {
      return try Element(binOf: launchLine)
    } catch {
      throw explain(error)
    }
  }
}

extension CaptureError {
  /// The meaning of an error of a source that has no more to say of it.
  init(ofSource error: GStreamerError) {
    switch error.code {
    case .noSuchElement, .missingPlugin:
      self.init(.missingElement, "A part of GStreamer is not installed.", underlying: error)
    case .stalled: self.init(.sourceFailed, error.message, underlying: error)
    default: self.init(.sourceFailed, "The source failed.", underlying: error)
    }
  }
}

/// A size and a frame rate; nil for whatever the source does best.
public struct VideoRequest: Sendable, Hashable {
  /// Pixels across.
  package var width: Int?
  /// Pixels down.
  package var height: Int?
  /// Frames a second.
  package var frameRate: Fraction?

  /// The source chooses what is nil.
  public init(width: Int? = nil, height: Int? = nil, frameRate: Fraction? = nil) {
    self.width = width
    self.height = height
    self.frameRate = frameRate
  }

  /// As it is written in a launch line.
  ///
  /// - Throws: ``CaptureError/Code/badConfiguration`` where there can be no such video.
  func caps(_ mediaType: String = "video/x-raw") throws(CaptureError) -> String {
    for (side, pixels) in [("width", width), ("height", height)] {
      guard let pixels, !(1...Int(Int32.max) ~= pixels) else { continue }
      throw CaptureError(
        .badConfiguration,
        "The \(side) of a frame must be from 1 to \(Int32.max) pixels, not \(pixels).")
    }
    if let frameRate, frameRate.numerator < 0 || frameRate.denominator < 1 {
      throw CaptureError(
        .badConfiguration,
        "The frame rate must be 0 or more frames a second, such as 30/1, not \(frameRate).")
    }
    var fields = [mediaType]
    if let width { fields.append("width=\(width)") }
    if let height { fields.append("height=\(height)") }
    if let frameRate { fields.append("framerate=\(frameRate)") }
    return fields.joined(separator: ",")
  }
}
