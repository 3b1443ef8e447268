// The command `slitscan bench` measures how many frames per second this machine scans.

import ArgumentParser
import CSlitScanSettings
import GStreamer
import SlitScanCapture
import SlitScanRender

struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure how many frames per second this machine scans.",
    discussion: """
      Sends frames through the element as fast as possible, twice as many as its history holds, and then \
      measures for a second. Cameras, decoders and displays are not included.

        slitscan bench
        slitscan bench --size 3840x2160 --map radial --set depth=240
        slitscan bench --preset Vortex --format BGRx

      With --gpu, says what the GPU takes for a frame in glslitscan, by timer queries of OpenGL, with \
      interpolation nearest and linear; beside it, in the same time, a copy of the frame's textures and GStreamer's \
      glvideoflip with the conversions that it needs.

      \(ExitStatus.help)
      """)

  @Option(
    help: ArgumentHelp("Frame size; repeatable.", valueName: "WxH"))
  var size = [FrameSize(width: 1920, height: 1080)]

  @Option(
    help: ArgumentHelp(
      "Map; repeatable. (default: the preset's, or all but image and live)",
      valueName: "map"))
  var map: [String] = []

  @Option(help: "Video format of the frames; `gst-inspect-1.0 slitscan` lists them.")
  var format = "I420"

  @Flag(help: "Measure the effect on the GPU.")
  var gpu = false

  @OptionGroup var presetOptions: PresetOptions

  @Flag(help: "Print JSON for other programs: one object per line.")
  var json = false

  func run() async throws {
    let (format, json) = (format, json)
    let scans = try await endingAsSaid(json: json) { [presetOptions, map] in
      let scans = try Self.scans(of: presetOptions.scan(), maps: map)
      for scan in scans { try await scan.scan.requireMapImage() }
      return scans
    }
    let width = max(3, scans.map(\.map.count).max() ?? 0)
    if gpu { return try await runOnGPU(width: width) }
    if !json {
      print("size       \("map".padded(to: width))  frames/s  ms/frame  history MB")
    }
    for size in size {
      for (map, scan) in scans {
        let line = try await endingAsSaid(json: json) {
          try await BenchLine(of: scan, map: map, size: size, format: format)
        }
        if json {
          try printJSON(line.json)
        } else {
          print(
            line.size.padded(to: 9) + "  " + line.map.padded(to: width) + "  "
              + line.framesPerSecond.column(8, digits: 1) + "  "
              + line.milliseconds.column(8, digits: 2) + "  "
              + (Double(line.historyBytes) / 1e6).column(10, digits: 1))
        }
      }
    }
  }

  private func runOnGPU(width: Int) async throws {
    let (format, json) = (format, json)
    let (bench, scans) = try await endingAsSaid(json: json) { [presetOptions, map] in
      var scans: [(map: String, scan: ValidatedScan)] = []
      var scan = presetOptions.scan()
      let isChosen = scan.preset != nil || scan.properties["interpolation"] != nil
      for interpolation in isChosen ? [nil] : ["nearest", "linear"] {
        if let interpolation { scan.properties["interpolation"] = .string(interpolation) }
        scans += try Self.scans(of: scan, maps: map)
      }
      return (try await GPUBench(format: format), scans)
    }
    let width = max(width, "glvideoflip".count)
    if !json {
      print(bench.heading)
      print("size       \("map".padded(to: width))  interpolation  ms/frame  × copy")
    }
    for size in size {
      try await endingAsSaid(json: json) {
        try await bench.run(scans, at: size) { line in
          if json { return try printJSON(line.json) }
          print(
            line.size.padded(to: 9) + "  " + (line.map ?? line.what).padded(to: width) + "  "
              + (line.interpolation ?? "").padded(to: 13) + "  "
              + line.milliseconds.column(8, digits: 3) + "  "
              + line.timesCopy.column(6, digits: 1))
        }
      }
    }
  }

  /// The scans that are measured, with the names of their maps.
  static func scans(
    of scan: Scan, maps: [String]
  ) throws(CaptureError) -> [(map: String, scan: ValidatedScan)] {
    var names = maps
    if names.isEmpty, scan.preset == nil, scan.properties["map"] == nil {
      names = try ValidatedScan.makeElement().properties.flatMap { property -> [String] in
        guard property.name == "map", case .choice(let nicks) = property.kind else { return [] }
        return nicks.filter {
          ![SLIT_SCAN_SOURCE_IMAGE, SLIT_SCAN_SOURCE_PAD].contains(SlitScanMapSource(ofMap: $0))
        }
      }
    }
    let scans =
      names.isEmpty
      ? [scan]
      : names.map { name in
        var scan = scan
        scan.properties["map"] = .string(name)
        return scan
      }
    return try scans.map { (scan) throws(CaptureError) in
      let settled = try ValidatedScan(scan)
      let map = settled.value(of: "map")?.text ?? ""
      let source = SlitScanMapSource(ofMap: map)
      if source == SLIT_SCAN_SOURCE_PAD {
        throw CaptureError(
          .badRequest,
          "bench cannot measure map=\(map), which needs a second video. Choose another map.")
      }
      if source == SLIT_SCAN_SOURCE_IMAGE, scan.properties["map-location"] == nil {
        throw CaptureError(
          .badRequest, "map=\(map) needs an image file. Add --set map-location=FILE.")
      }
      return (map, settled)
    }
  }
}

/// A size as one types it: `1920x1080`, at least 16 pixels each way.
struct FrameSize: ExpressibleByArgument, CustomStringConvertible {
  let width: Int
  let height: Int

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      16...32767 ~= width, 16...32767 ~= height
    else { return nil }
    self.init(width: width, height: height)
  }

  var description: String { "\(width)x\(height)" }
}

/// The measurement of one map and size.
struct BenchLine {
  let size: String
  let map: String
  let format: String
  let framesPerSecond: Double
  let milliseconds: Double
  let historyBytes: Int

  var json: JSONObject {
    [
      "size": size, "map": map, "format": format, "frames-per-second": framesPerSecond,
      "milliseconds": milliseconds, "history-bytes": historyBytes,
    ]
  }

  /// The time for which frames are counted.
  private static let duration = Duration.seconds(1)
  /// The time from one frame to the next, for what follows time and not frames.
  private static let interval: UInt64 = 1_000_000_000 / 60

  init(
    of scan: ValidatedScan, map: String, size: FrameSize, format: String,
    on clock: any SteadyClock = ContinuousClock()
  ) async throws {
    do {
      let element = try ValidatedScan.makeElement()
      scan.apply(to: element)
      let frames = try await Self.frames(size, format: format)
      (framesPerSecond, historyBytes) = try await Self.measure(element, with: frames, on: clock)
    } catch let error as GStreamerError {
      throw CaptureError(
        .unsupportedFormat,
        "Frames of \(size) \(format) cannot be measured. `gst-inspect-1.0 slitscan` lists the formats.",
        underlying: error)
    }
    milliseconds = 1000 / framesPerSecond
    self.size = "\(size)"
    self.map = map
    self.format = format
  }

  /// Frames a second through an element, and the memory of its full history.
  private static func measure(
    _ element: Element, with frames: [Sample], on clock: any SteadyClock
  ) async throws -> (framesPerSecond: Double, historyBytes: Int) {
    // A full history, and as long again: a map that stands still thins it out then.
    let warmUp = try 2 * fullHistory(of: element) + 8
    return try await pass(frames, through: [element]) { samples in
      var count = 0
      var start = clock.now
      var time = Duration.zero
      for try await _ in samples {
        count += 1
        if count == warmUp { start = clock.now }
        time = clock.now - start
        if count > warmUp, time >= duration { break }
      }
      let historyBytes = try element.get("history-bytes", as: UInt64.self)
      return (Double(count - warmUp) / (time / .seconds(1)), Int(clamping: historyBytes))
    }
  }

  /// Sends frames through elements for as long as `measure` takes.
  static func pass<Result>(
    _ frames: [Sample], through elements: [Element],
    _ measure: (Samples) async throws -> Result
  ) async throws -> Result {
    let pipeline = try Pipeline()
    GPU.offerDisplay(to: pipeline.element)
    let source = try AppSrc()
    let sink = try AppSink(isSynchronized: false)
    try await pipeline.add(chain: [source.element] + elements + [sink.element])
    let sending = Task { try await send(frames, to: source) }
    defer { sending.cancel() }
    return try await play(pipeline) { try await measure(sink.samples) }
  }

  /// Plays a pipeline for as long as `body` takes.
  ///
  /// It is down when this returns or throws: no thread may draw any more when the process exits.
  private static func play<Result>(
    _ pipeline: Pipeline, while body: () async throws -> Result
  ) async throws -> Result {
    let playing = Task { try await pipeline.play() }
    do {
      let result = try await body()
      try await playing.value
      await pipeline.stop()
      return result
    } catch {
      await pipeline.stop()
      _ = await playing.result
      throw error
    }
  }

  /// The frames until history is full.
  static func fullHistory(of element: Element) throws -> Int {
    max(
      try element.get("depth", as: Int.self),
      Int(try element.get("duration", as: UInt64.self) / interval))
  }

  /// A few frames that move, so that none is in the processor's caches more than a camera's would be.
  static func frames(_ size: FrameSize, format: String) async throws -> [Sample] {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=6 pattern=zone-plate kx2=20 ky2=20 kt=1 "
        + "! video/x-raw,format=\(format),width=\(size.width),height=\(size.height),framerate=60/1 "
        + "! appsink name=frames sync=false")
    let sink = try AppSink(pipeline.element(named: "frames"))
    return try await play(pipeline) {
      var samples: [Sample] = []
      for try await sample in sink.samples { samples.append(sample) }
      return samples
    }
  }

  static func send(_ samples: [Sample], to source: AppSrc) async throws {
    var number = 0
    while true {
      let sample = samples[number % samples.count]
      guard let buffer = sample.buffer, let caps = sample.caps else { return }
      let time = ClockTime(nanoseconds: UInt64(number) * interval)
      let moved = try buffer.moved(to: time, duration: ClockTime(nanoseconds: interval))
      try await source.send(Sample(moved, caps: caps))
      number += 1
    }
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension Double {
  /// The number at the right of a column.
  fileprivate func column(_ width: Int, digits: Int) -> String {
    let text = decimals(digits)
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
