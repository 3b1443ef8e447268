// Tests of what is kept of frames in the files that are written: bits, chroma, alpha, and each frame.

import AwaitedProgram
import Foundation
import GStreamer
import SlitScanCapture
import TemporaryFolder
import TestFilm
import Testing

@testable import SlitScanRender

@Suite(.serialized) struct FilmFormatTests {
  private let folder = TemporaryFolder()

  /// A film without loss, of four frames.
  private func makeFilm(
    _ format: String, _ pattern: String = "smpte", frames: Int = 4,
    size: String = "width=64,height=48"
  ) async throws -> String {
    let path = "\(folder)/in.mkv"
    try await TestFilm.make(
      path,
      "videotestsrc num-buffers=\(frames) pattern=\(pattern) ! video/x-raw,format=\(format),\(size),framerate=25/1 "
        + "! avenc_ffv1 ! matroskamux")
    return path
  }

  private func render(
    _ input: String, to name: String, _ settings: FilmSettings
  ) async throws -> RenderResult {
    try await FilmRendering(
      RenderRequest([input], to: "\(folder)/\(name)", scan: ["depth": 1], settings: settings)
    ).run()
  }

  /// Codec and pixel format, as ffprobe names them, and the number of frames.
  private func probe(_ name: String) throws -> String {
    let end = try AwaitedProgram([
      "ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
      "stream=codec_name,pix_fmt,nb_read_frames", "-of", "csv=p=0", "\(folder)/\(name)",
    ]).run()
    return String(decoding: end.output, as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
  }

  private static let kept: [(String, String, VideoCodec?, String)] = [
    ("I420", "out.mp4", nil, "h264,yuv420p"), ("I420_10LE", "out.mp4", nil, "h264,yuv420p10le"),
    ("Y444", "out.mkv", nil, "h264,yuv444p"), ("I422_10LE", "out.mov", nil, "h264,yuv422p10le"),
    ("I420_10LE", "out.mp4", .h265, "hevc,yuv420p10le"), ("Y444", "out.mov", .h265, "hevc,yuv444p"),
    ("I420_10LE", "out.webm", .vp9, "vp9,yuv420p10le"),
    ("I420_12LE", "out.mkv", .vp9, "vp9,yuv420p12le"),
    ("I420", "out.webm", .av1, "av1,yuv420p"),
    ("I422_10LE", "out.mov", .proRes, "prores,yuv422p10le"),
    ("Y444_10LE", "out.mov", .proRes, "prores,yuv444p12le"),
    ("A444_10LE", "out.mov", .proRes, "prores,yuva444p12le"),
    ("BGRA", "out.mkv", .ffv1, "ffv1,bgra"), ("GRAY16_LE", "out.mkv", .ffv1, "ffv1,gray16le"),
    ("I420_12LE", "out.mkv", .ffv1, "ffv1,yuv420p12le"),
    ("A420_10LE", "out.mkv", .ffv1, "ffv1,yuva420p10le"),
  ]

  @Test(arguments: kept)
  func bitsChromaAndAlphaAreKept(
    format: String, name: String, codec: VideoCodec?, expected: String
  ) async throws {
    let result = try await render(makeFilm(format), to: name, FilmSettings(codec: codec))
    #expect(try probe(name) == "\(expected),4")
    // Only that some players do not know it is said.
    #expect(result.warnings.allSatisfy { $0.contains("plays in few") }, "\(result.warnings)")
  }

  @Test(arguments: [
    ("BGRA", "out.mp4", "alpha channel"), ("A444_10LE", "out.webm", "alpha channel"),
    ("GRAY16_LE", "out.mov", "16 bits are written with 10"), ("BGRA", "out.mkv", "--codec ffv1"),
  ])
  func aLossIsNamed(format: String, name: String, sentence: String) async throws {
    let result = try await render(makeFilm(format), to: name, FilmSettings())
    #expect(result.warnings.contains { $0.contains(sentence) }, "\(result.warnings)")
  }

  @Test(arguments: [
    "I420", "Y444_10LE", "BGRA", "BGRx", "GBR_12LE", "GRAY8", "GRAY16_LE", "A422_10LE",
  ])
  func losslessIsTheSameBytes(format: String) async throws {
    let path = try await makeFilm(format, "snow")
    let result = try await render(path, to: "out.mkv", FilmSettings(isLossless: true))
    #expect(result.warnings.allSatisfy { $0.contains("plays in few") }, "\(result.warnings)")
    let (before, after) = (
      try await FilmDescription(FilmInput(path), wantsSound: false), try await Decoded(path)
    )
    var written = try await FilmFrames(FilmInput("\(folder)/out.mkv"), as: before.commonCaps())
    var frames: [[UInt8]] = []
    while let frame = try await written.next() { frames.append(try frame.buffer.copiedBytes()) }
    await written.close()
    #expect(frames == after.frames)
  }

  @Test func opacityIsWrittenAsItIs() async throws {
    try AwaitedProgram.shell(
      """
      ffmpeg -v error -f lavfi -i "color=red:s=64x48:r=25:d=0.08,format=yuva444p10le,\
      geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='16*X'" -c:v prores_ks \(folder)/in.mov
      """)
    _ = try await render("\(folder)/in.mov", to: "out.mov", FilmSettings(codec: .proRes))
    let values = try AwaitedProgram.shell(
      "ffmpeg -v error -i \(folder)/out.mov -vf alphaextract -pix_fmt gray -f rawvideo - | head -c 64"
    )
    #expect(values.count == 64)
    #expect(values.enumerated().allSatisfy { abs(Int($1) - 4 * $0) <= 2 }, "\(values)")
  }

  /// libvpx gives the frames that it holds at the end in several steps.
  @Test(arguments: [VideoCodec.vp8, .vp9, .av1, .h265])
  func noFrameOfGrainIsLost(codec: VideoCodec) async throws {
    let path = try await makeFilm("I420", "snow", frames: 30, size: "width=160,height=128")
    _ = try await render(path, to: "out.mkv", FilmSettings(codec: codec, speed: .fastest))
    #expect(try probe("out.mkv").hasSuffix(",30"))
  }

  @Test func anEncoderThatDropsFramesIsAnError() async throws {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=3 ! identity name=encoder drop-probability=1 ! fakesink async=false"
    )
    let frames = try EncodedFrames(of: pipeline.element(named: "encoder"))
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()
    let error = #expect(throws: CaptureError.self) { try frames.requireAll("out.mp4") }
    #expect(error?.message.contains("0 of 3 frames") == true)
  }

  @Test(arguments: [
    (FilmSettings(quality: 101), "from 0 to 100"),
    (FilmSettings(quality: 50, bitRate: 8), "--bit-rate and --quality"),
    (FilmSettings(codec: .ffv1, quality: 50), "FFV1 is lossless"),
    (FilmSettings(codec: .proRes), "mkv cannot contain ProRes"),
    (FilmSettings(codec: .vp9, isLossless: true), "Without loss"),
    (FilmSettings(pixelFormat: .gray8), "cannot be written in GRAY8"),
  ])
  func settingsThatContradictEachOtherAreRefused(settings: FilmSettings, sentence: String)
    async throws
  {
    let path = try await makeFilm("I420")
    let error = await #expect(throws: CaptureError.self) {
      _ = try await render(path, to: "out.mkv", settings)
    }
    #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [VideoCodec.h264, .h265, .vp9, .vp8, .av1])
  func aLowerQualityIsASmallerFile(codec: VideoCodec) async throws {
    let path = try await makeFilm("I420", "snow", size: "width=160,height=128")
    var sizes: [Int] = []
    for quality in [20, 65, 95] {
      sizes.append(
        try await render(
          path, to: "\(quality).mkv", FilmSettings(codec: codec, quality: quality, speed: .fastest)
        ).byteCount)
    }
    #expect(sizes[0] < sizes[1] && sizes[1] < sizes[2], "\(sizes)")
  }
}
