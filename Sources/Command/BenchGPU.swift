// `slitscan bench --gpu` measures what the GPU takes for a frame, beside a copy of its textures.

import CGLTimer
import GStreamer
import SlitScanCapture

/// Timer queries of OpenGL around an element.
@safe
private final class FrameTimer {
  // The owner of the timer also holds the pipeline of its element.
  private let timer: OpaquePointer

  init(of element: Element, copies: Bool, isSoftware: Bool) throws(CaptureError) {
    let timer = unsafe element.withGstElement {
      unsafe gl_timer_new($0, copies ? 1 : 0, isSoftware ? 1 : 0)
    }
    guard let timer = unsafe timer else {
      throw CaptureError(
        .missingElement, "GStreamer's OpenGL library is missing. Install libgstreamer-gl1.0-0.")
    }
    unsafe self.timer = timer
  }

  deinit { unsafe gl_timer_free(timer) }

  /// The frames since the last call, and what they took.
  func take() -> (frames: UInt, nanoseconds: UInt) {
    var (frames, nanoseconds): (UInt, UInt) = (0, 0)
    unsafe gl_timer_take(timer, &frames, &nanoseconds)
    return (frames, nanoseconds)
  }
}

/// The measurement of one map, interpolation and size on the GPU.
struct GPUBenchLine {
  let size: String
  /// Nil for what is no scan.
  let map: String?
  let interpolation: String?
  /// `scan`, `copy` or `glvideoflip`.
  let what: String
  let format: String
  /// Of the GPU, for a frame.
  let milliseconds: Double
  let timesCopy: Double
  let renderer: String
  let software: Bool

  var json: JSONObject {
    [
      "size": size, "map": map, "interpolation": interpolation, "what": what, "format": format,
      "milliseconds": milliseconds, "times-copy": timesCopy, "renderer": renderer,
      "software": software,
    ]
  }
}

struct GPUBench {
  private let gpu: GPU
  private let format: String

  /// - Throws: ``CaptureError/Code/noGPU``, ``CaptureError/Code/missingElement``.
  init(format: String) async throws(CaptureError) {
    gpu = try await GPU.find()
    self.format = format
  }

  /// The line above the numbers.
  var heading: String {
    gpu.isSoftware
      ? "GPU: \(gpu.renderer), which is software: compare the ratios, the times are the processor's"
      : "GPU: \(gpu.renderer), \(gpu.version)"
  }

  /// Measures each scan at a size, and what they are to be compared with; gives `tell` each line.
  func run(
    _ scans: [(map: String, scan: ValidatedScan)], at size: FrameSize,
    tell: (GPUBenchLine) throws -> Void
  ) async throws {
    let frames = try await BenchLine.frames(size, format: format)
    // A copy of the frame's textures, which nothing that draws them anew can be faster than.
    let copy = try await time(frames, size, copies: true) { try Element("identity") }
    func line(_ what: String, _ milliseconds: Double, _ scan: (String, ValidatedScan)? = nil)
      -> GPUBenchLine
    {
      GPUBenchLine(
        size: "\(size)", map: scan?.0, interpolation: scan?.1.value(of: "interpolation")?.text,
        what: what, format: format, milliseconds: milliseconds, timesCopy: milliseconds / copy,
        renderer: gpu.renderer, software: gpu.isSoftware)
    }
    try tell(line("copy", copy))
    // GStreamer's element that mirrors, RGBA alone: what one pays for any effect.
    let flip = try await time(frames, size) { [format] in
      try Element(
        binOf: "glcolorconvert ! glvideoflip method=vertical-flip ! glcolorconvert ! "
          + "capsfilter caps=\"video/x-raw(memory:GLMemory),format=\(format)\"")
    }
    try tell(line("glvideoflip", flip))
    for (map, scan) in scans {
      let milliseconds = try await time(frames, size) {
        let element = try Element("glslitscan")
        scan.apply(to: element)
        return element
      }
      try tell(line("scan", milliseconds, (map, scan)))
    }
  }

  /// Milliseconds of the GPU for a frame, once history is full.
  private func time(
    _ frames: [Sample], _ size: FrameSize, copies: Bool = false,
    on clock: any SteadyClock = ContinuousClock(), _ makeElement: () throws -> Element
  ) async throws -> Double {
    do {
      let upload = try Element(binOf: "glupload ! glcolorconvert")
      let element = try makeElement()
      let history = try element.hasProperty("depth") ? BenchLine.fullHistory(of: element) : 0
      let warmUp = history + 8
      let timer = try FrameTimer(
        of: element, copies: copies, isSoftware: gpu.isSoftware)
      let (timed, nanoseconds) = try await BenchLine.pass(frames, through: [upload, element]) {
        samples in
        var count = 0
        var start = clock.now
        for try await _ in samples {
          count += 1
          if count == warmUp {
            _ = timer.take()
            start = clock.now
          }
          if count >= warmUp + 20, clock.now - start >= .seconds(1) { break }
        }
        return timer.take()
      }
      guard timed > 0, nanoseconds > 0 else {
        throw CaptureError(
          .noGPU, "The graphics driver \(gpu.renderer) has no timer queries (GL_TIME_ELAPSED).")
      }
      return Double(nanoseconds) / Double(timed) / 1e6
    } catch let error as GStreamerError {
      throw CaptureError(
        .unsupportedFormat,
        "Frames of \(size) \(format) cannot be measured on the GPU. `gst-inspect-1.0 glslitscan` lists the "
          + "formats.", underlying: error)
    }
  }
}
