// Tests of image files as maps: valid ones, invalid ones and their warnings, and that the video never waits for
// either.

import CGStreamer
import CGStreamerCheck
import Foundation
import GStreamer
import TemporaryFolder
import Testing

@Suite struct MapFileTests {
  private let folder = TemporaryFolder()

  /// A pipeline whose frames are numbered, and whose map is a file.
  private func pipeline(
    _ location: String, depth: Int = 11, frames: Int = -1
  ) throws -> (TestPipeline, FrameRecord) {
    let pipeline = try TestPipeline(
      "videotestsrc name=video num-buffers=\(frames) ! \(Numbered.caps) ! "
        + "slitscan name=scan map=image depth=\(depth) ! fakesink")
    try pipeline.set("map-location", location)
    try pipeline.paint("video") { Numbered.byte(at: $0) }
    return (pipeline, try pipeline.recordFrames())
  }

  /// A file that asks for one delay, in frames, everywhere.
  private func evenFile(_ name: String, delay: Int, kind: ImageKind = .pgm8) throws -> String {
    try folder.write(
      name, kind.bytes(levels: [UInt16](repeating: level(ofDelay: delay, of: 10), count: 16)))
  }

  /// The level that asks for a delay in frames, where the longest is `longest`.
  private func level(ofDelay frames: Int, of longest: Int) -> UInt16 {
    UInt16((65535 * frames + longest / 2) / longest)
  }

  /// Expects 40 frames in which each row is as old as `delays` says.
  private func expectRows(_ delays: [Int], of record: FrameRecord) {
    #expect(record.frames.count == 40)
    for (index, frame) in record.frames.enumerated() {
      let rows = delays.map { [UInt8](repeating: UInt8(max(0, index - $0)), count: 16) }
      #expect(frame.bytes == rows.flatMap(\.self), "frame \(index)")
    }
  }

  // MARK: Good files

  @Test(arguments: ImageKind.allCases) func anImageIsTheMap(kind: ImageKind) throws {
    let delays = (0..<16).map { $0 * 3 % 11 }
    let file = try folder.write(
      "map.\(kind)", kind.bytes(levels: delays.map { level(ofDelay: $0, of: 10) }))
    let (pipeline, record) = try pipeline(file, frames: 40)
    let messages = try pipeline.playToEnd()
    #expect(messages.last?.kind == .eos)
    #expect(!messages.contains { $0.kind == .warning })
    let loaded = messages.filter { $0.text == "slitscan-map-loaded" }
    #expect(loaded.map { $0.structure?.get("location", as: String.self) } == [file])
    expectRows(delays, of: record)
  }

  @Test(arguments: ImageKind.deep) func sixteenBitsAreKept(kind: ImageKind) throws {
    // A frame is a quarter of what 8 bits can tell.
    let delays = Array(0..<16)
    let file = try folder.write(
      "map.\(kind)", kind.bytes(levels: delays.map { level(ofDelay: $0, of: 1000) }))
    let (pipeline, record) = try pipeline(file, depth: 1001, frames: 40)
    #expect(try pipeline.expectToPlay().isEmpty)
    expectRows(delays, of: record)
  }

  @Test func aLocationMayBeAFileURI() throws {
    let file = try evenFile("ein Bild, größer als 100 %.pgm", delay: 4)
    for location in [file, URL(fileURLWithPath: file).absoluteString] {
      let (pipeline, record) = try pipeline(location, frames: 30)
      #expect(try pipeline.expectToPlay().isEmpty)
      record.expectDelays(count: 30) { _ in 4 }
    }
  }

  @Test(arguments: [ImageKind.pgm8, .grayPNG8, .grayJPEG])
  func bytesAfterTheImageAreIgnored(kind: ImageKind) throws {
    let levels = [UInt16](repeating: level(ofDelay: 4, of: 10), count: 16)
    let black = kind.bytes(levels: [UInt16](repeating: 0, count: 16))
    for rest in [
      Array("the end\n".utf8), black, black + black, [0, 0xFF, 0xD8, 0xFF, 0xD8, 0xFF, 0],
    ] {
      let file = try folder.write("map", kind.bytes(levels: levels) + rest)
      let (pipeline, record) = try pipeline(file, frames: 30)
      #expect(try pipeline.expectToPlay().isEmpty)
      record.expectDelays(count: 30) { _ in 4 }
    }
  }

  // MARK: Bad files

  /// Something that is no map, and a part of the sentence that says so.
  enum BadFile: String, CaseIterable {
    case missing, folder, pipe, device, unreadable, empty, elsewhere
    case text, noise, sound, video, videoThatFailsAtOnce, gifThatFailsAtOnce
    case gif, webP, tiff, bmp, bitmap
    case shortPNG, shortJPEG, shortPGM, shortHeaderPGM, damagedPNG, print, beginsTwiceJPEG
    case vastPNG, largePNG, widePNG, vastJPEG, vastProgressiveJPEG, vastPGM

    var sentence: String {
      switch self {
      case .missing: "There is no file "
      case .folder: " is a folder. "
      case .pipe, .device: " is a device or a pipe. "
      case .unreadable: " may not be read. "
      case .empty: " is empty. "
      case .elsewhere: " is not on this machine. "
      case .text, .noise, .sound, .video, .videoThatFailsAtOnce, .gifThatFailsAtOnce, .gif, .webP,
        .tiff, .bmp, .bitmap:
        " is not a PNG, JPEG or PGM file. Convert it, "
      case .shortJPEG, .shortHeaderPGM: " is cut short. "
      case .shortPNG, .shortPGM, .damagedPNG, .beginsTwiceJPEG: " cannot be decoded: "
      case .print: " is a JPEG for print (CMYK)"
      case .vastPNG: " has 100000×100000 pixels; a map can have up to 16384×16384. "
      case .largePNG: " has 60000×60000 pixels; "
      case .widePNG: " has 16385×1 pixels; "
      case .vastJPEG, .vastProgressiveJPEG: " has 65500×65500 pixels; "
      case .vastPGM: " has 60000×60000 pixels; "
      }
    }
  }

  /// A regular file that even the superuser may not read.
  private static let writeOnly = "/proc/sys/vm/compact_memory"

  /// The location of something that is no map.
  private func location(of badFile: BadFile) throws -> String {
    let levels = [UInt16](repeating: 0, count: 16)
    let good = { (kind: ImageKind) in kind.bytes(levels: levels) }
    let file = { (bytes: [UInt8]) in try folder.write("\(badFile)", bytes) }
    switch badFile {
    case .missing: return folder.path + "/missing"
    case .folder: return folder.path
    case .pipe:
      let path = folder.path + "/pipe"
      #expect(unsafe mkfifo(path, 0o600) == 0)
      return path
    case .device: return "/dev/zero"
    case .unreadable:
      if geteuid() == 0 { return Self.writeOnly }
      let path = try file(good(.pgm8))
      #expect(unsafe chmod(path, 0) == 0)
      return path
    case .empty: return try file([])
    case .elsewhere: return "http://example.org/elsewhere"
    case .text: return try file(Array(String(repeating: "Not an image.\n", count: 100).utf8))
    case .noise: return try file((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })
    case .sound: return try file(ImageFile.sound)
    case .video:
      let path = folder.path + "/video"
      let video = try TestPipeline(
        "videotestsrc num-buffers=5 ! \(Numbered.caps) ! slitscan name=scan ! videoconvert ! "
          + "avimux ! filesink location=\(path)")
      try video.expectToPlay()
      return path
    case .videoThatFailsAtOnce: return try file(Array("FLV2\u{0}2\n255\u{C}1 FLV 4\n".utf8))
    case .gifThatFailsAtOnce:
      return try file(Array("GIF8".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0])
    case .gif: return try file(Array("GIF89a".utf8) + [16, 0, 16, 0, 0, 0, 0])
    case .webP: return try file(Array("RIFF\u{1A}\0\0\0WEBPVP8L\u{D}\0\0\0".utf8))
    case .tiff: return try file(Array("II*\0\u{8}\0\0\0".utf8))
    case .bmp: return try file(Array("BM\u{46}\0\0\0\0\0\0\0\u{36}\0\0\0".utf8))
    case .bitmap: return try file(Array("P4\n16 16\n".utf8) + [UInt8](repeating: 0, count: 32))
    case .shortPNG: return try file(good(.grayPNG8).dropLast(20))
    case .shortJPEG: return try file(good(.grayJPEG).dropLast(10))
    case .shortPGM: return try file(good(.pgm8).dropLast(20))
    case .shortHeaderPGM: return try file(Array("P2\n# 16\n16\n# 16 255\n".utf8))
    case .damagedPNG:
      var bytes = good(.grayPNG8)
      bytes[bytes.count / 2] ^= 0xFF
      return try file(bytes)
    case .beginsTwiceJPEG: return try file([0xFF, 0xD8] + good(.grayJPEG))
    case .print: return try file(ImageFile.jpeg(components: 4, levels: [0, 50, 100]))
    case .vastPNG: return try file(ImageFile.png(width: 100_000, height: 100_000, data: [0]))
    case .largePNG: return try file(ImageFile.png(width: 60000, height: 60000, data: [0]))
    case .widePNG:
      return try file(
        ImageFile.png(width: 16385, height: 1, data: [UInt8](repeating: 0, count: 16386)))
    case .vastJPEG, .vastProgressiveJPEG:
      return try file(
        ImageFile.jpegHeader(
          width: 65500, height: 65500, components: 3, isProgressive: badFile != .vastJPEG)
          + [UInt8](repeating: 0, count: 5000) + [0xFF, 0xD9])
    case .vastPGM:
      return try file(
        ImageFile.pgmHeader(width: 60000, height: 60000) + [UInt8](repeating: 0, count: 5000))
    }
  }

  private func expect(_ warning: Message, isAbout badFile: BadFile, at location: String) {
    #expect(warning.source?.name == "scan")
    #expect(warning.text.contains(location), "\(warning.text)")
    #expect(warning.text.contains(badFile.sentence), "\(warning.text)")
  }

  @Test(arguments: BadFile.allCases)
  func aFileThatIsNoMapIsAWarningAndTheOldMapPlaysOn(badFile: BadFile) throws {
    let location = try location(of: badFile)
    let (pipeline, record) = try pipeline(try evenFile("good.pgm", delay: 7))
    try pipeline.start()
    record.wait(forDelay: 7)
    let before = record.frames.count

    try pipeline.set("map-location", location)
    expect(try pipeline.nextMessage(.warning), isAbout: badFile, at: location)
    record.wait(forMore: 10)
    #expect(record.frames[before...].allSatisfy { $0.delay == 7 })
    pipeline.endStream()
    #expect(try pipeline.expectEnd().isEmpty)
  }

  @Test(arguments: [BadFile.missing, .text, .shortPNG, .video, .vastPNG])
  func aStreamStartsWithoutItsMap(badFile: BadFile) throws {
    let location = try location(of: badFile)
    let (pipeline, record) = try pipeline(location, frames: 20)
    let warnings = try pipeline.expectToPlay()
    #expect(warnings.count == 1)
    expect(try #require(warnings.first), isAbout: badFile, at: location)
    record.expectDelays(count: 20) { _ in 0 }
  }

  // MARK: Another file

  @Test func theOldMapPlaysOnUntilTheNewOneIsThere() throws {
    let files = try [2, 9].map { try evenFile("\($0).png", delay: $0, kind: .grayPNG16) }
    let (pipeline, record) = try pipeline(files[0])
    // Else the new one shows what is left of history.
    try pipeline.set("history", "whole")
    try pipeline.start()
    record.wait { $0.count > 15 && $0.last?.delay == 2 }
    let before = record.frames.count
    try pipeline.set("map-location", files[1])
    record.wait(forDelay: 9)
    let delays = record.frames[before...].map(\.delay)
    let change = try #require(delays.firstIndex(of: 9))
    #expect(delays[..<change].allSatisfy { $0 == 2 })
    #expect(delays[change...].allSatisfy { $0 == 9 })
    pipeline.endStream()
    #expect(try pipeline.expectEnd().isEmpty)
  }

  @Test func theFileIsReadAnewWithEveryStart() throws {
    let (pipeline, record) = try pipeline(try evenFile("map.pgm", delay: 10), frames: 20)
    for delay in [10, 0, 10] {
      _ = try evenFile("map.pgm", delay: delay)
      try pipeline.expectToPlay()
      #expect(record.lastDelay == delay)
      try pipeline.go(to: GST_STATE_READY)
    }
  }

  @Test func ofManyLocationsTheNewestCounts() throws {
    let files = try (0...10).map { try evenFile("\($0).png", delay: $0, kind: .rgbPNG16) }
    let (pipeline, record) = try pipeline(files[10])
    try pipeline.start()
    // With fewer frames of history, it would look like the newest.
    record.wait(forDelay: 10)
    for round in 0..<200 {
      try pipeline.set("map-location", files[round % 9])
      if round % 7 == 0 { record.wait(forMore: round / 7) }
    }
    try pipeline.set("map-location", files[9])
    record.wait(forDelay: 9)
    let then = record.frames.count
    record.wait(forMore: 10)
    #expect(record.frames[then...].allSatisfy { $0.delay == 9 })
    pipeline.endStream()
    #expect(try pipeline.expectEnd().isEmpty)
  }

  /// Each frame is shown with the map before or the map that is wanted, and without one if none is.
  @Test func mapsMayComeAndGoWithEveryFrame() throws {
    let large = folder.path + "/large.png"
    try TestPipeline(
      "videotestsrc num-buffers=1 pattern=white ! video/x-raw,format=GRAY8,width=4000,height=4000 ! "
        + "slitscan name=scan ! pngenc ! filesink location=\(large)"
    ).expectToPlay()
    let maps = [
      large: 10, try evenFile("4.pgm", delay: 4): 4,
      try evenFile("7.jpg", delay: 7, kind: .grayJPEG): 7,
      "": 0,
    ]
    let locations = maps.keys.sorted()
    let harness = try Harness("map=image depth=11 history=whole")
    harness.start()
    var (count, shown) = (0, 0)
    /// Pushes a frame with a map and gives its delay.
    func delay(of location: String) throws -> Int {
      #expect(try harness.push(count % 256, at: UInt(count) * Harness.frame) == GST_FLOW_OK)
      let rows = try #require(harness.pullRows())
      let delay = Int(UInt8(truncatingIfNeeded: count) &- rows[0])
      #expect(rows == [UInt8](repeating: rows[0], count: 16), "frame \(count)")
      #expect(delay == maps[location] || (location != "" && delay == shown), "frame \(count)")
      count += 1
      shown = delay
      return delay
    }
    for _ in 0..<11 { _ = try delay(of: "") }
    for round in 0..<400 {
      let location = locations[round * round / 3 % locations.count]
      harness.set("map-location", to: location)
      for _ in 0...round % 3 { _ = try delay(of: location) }
      guard round % 20 == 0 else { continue }
      while try delay(of: location) != maps[location] { sched_yield() }
    }
    #expect(
      harness.popWarnings().allSatisfy {
        $0.contains("Set map-location to a PNG, JPEG or PGM file")
      })
  }

  @Test func theElementMayStopWhileItLoads() throws {
    let files = try ImageKind.allCases.map { try evenFile("\($0)", delay: 3, kind: $0) }
    let video = try location(of: .video)
    let (pipeline, _) = try pipeline(files[0])
    for round in 0..<60 {
      try pipeline.start()
      try pipeline.set("map-location", round % 3 == 0 ? video : files[round % files.count])
      pipeline.output.wait(forMore: round % 10)
      try pipeline.go(to: round % 2 == 0 ? GST_STATE_READY : GST_STATE_NULL)
    }
  }

  /// Another thread starts the element, while this one takes its map away and begins a stream.
  @Test func theMapMayBeClearedWhileTheElementStarts() throws {
    let file = try folder.write(
      "noise.pgm",
      ImageFile.pgm(
        maximum: 255,
        rows: (0..<400).map { row in (0..<400).map { UInt8(truncatingIfNeeded: row * row ^ $0) } }))
    let harness = try Harness("map=image")
    let scan = unsafe harness.element
    for round in 0..<200 {
      #expect(unsafe gst_element_set_state(scan, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS)
      harness.set("map-location", to: file)
      unsafe gst_element_call_async(
        scan, { scan, _ in unsafe gst_element_set_state(scan, GST_STATE_PLAYING) }, nil, nil)
      // Work of its own: a thread that yields beside busy ones waits for all of them.
      for turn in 0..<(round % 20 * 5000) { withExtendedLifetime(turn) {} }
      harness.set("map-location", to: "")
      // Until the pads are active, the element refuses what comes; while they become so, it forgets caps.
      var flow = GST_FLOW_FLUSHING
      while [GST_FLOW_FLUSHING, GST_FLOW_NOT_NEGOTIATED].contains(flow) {
        harness.beginStream()
        flow = try harness.push(round)
        sched_yield()
      }
      #expect(flow == GST_FLOW_OK, "round \(round)")
      #expect(harness.pullRows()?[0] == UInt8(round))
      #expect(unsafe gst_element_get_state(scan, nil, nil, .max) == GST_STATE_CHANGE_SUCCESS)
    }
  }
}
