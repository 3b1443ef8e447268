// Tests of films as cameras, browsers and other programs write them: nothing of them is lost or moved.

import AwaitedProgram
import Foundation
import GStreamer
import TestFilm
import SlitScanCapture
import TemporaryFolder
import Testing

@testable import SlitScanRender

import struct Footage.DecodedFile

@Suite(.serialized) struct ForeignFilmTests {
  private let folder = TemporaryFolder()

  private func ffmpeg(_ arguments: String) throws {
    try AwaitedProgram.shell("ffmpeg -v error -y \(arguments)")
  }

  /// A film without loss of two seconds, 25 frames a second, in which it is bright and loud from second 1 on.
  private func makeFlash(_ path: String) throws {
    try ffmpeg(
      """
      -f lavfi -i "color=black:s=64x48:r=25:d=1" -f lavfi -i "color=white:s=64x48:r=25:d=1" \
      -f lavfi -i "aevalsrc='if(gte(t,1),0.6*sin(2*PI*1000*t+1),0)':s=48000:d=2" \
      -filter_complex "[0][1]concat[v]" -map "[v]" -map 2 -pix_fmt yuv420p -c:v libx264 -qp 0 -bf 2 -c:a pcm_s16le \
      \(path)
      """)
  }

  private func render(
    _ input: String, to output: String, _ scan: Scan = ["depth": 1]
  ) async throws -> RenderResult {
    var request = RenderRequest([input], to: output, scan: scan)
    request.replacesOutput = true
    return try await FilmRendering(request).run()
  }

  // MARK: Times

  /// A film is written by ffmpeg in its ways of saying when things are shown, and rendered into those that there are.
  @Test(arguments: [
    ("in.ts", "", "-c:a aac", 0), ("in.mp4", "", "-c:a aac", 0), ("in.mkv", "", "-c:a flac", 0),
    ("in.mpg", "", "-c:v mpeg2video -c:a mp2", 0), ("late-sound.mp4", "sound", "-c:a aac", 0.5),
    ("late-sound.ts", "sound", "-c:a aac", 0.5), ("late-video.mp4", "video", "-c:a aac", -0.5),
    ("late-video.ts", "video", "-c:a aac", -0.5), ("late-video.mkv", "video", "-c:a flac", -0.5),
  ])
  func soundStaysWithItsVideo(
    name: String, late: String, codecs: String, offset: Double
  ) async throws {
    try makeFlash("\(folder)/base.mkv")
    let inputs =
      late.isEmpty
      ? "-i \(folder)/base.mkv"
      : "-itsoffset 0.5 -i \(folder)/base.mkv -i \(folder)/base.mkv -map \(late == "video" ? 0 : 1):v "
        + "-map \(late == "sound" ? 0 : 1):a"
    try ffmpeg("\(inputs) -c:v copy \(codecs) \(folder)/\(name)")
    for output in ["out.mkv", "out.mp4"] {
      _ = try await render("\(folder)/\(name)", to: "\(folder)/\(output)")
      let film = DecodedFile(path: "\(folder)/\(output)")
      let flash = try #require(try await film.flashes().first)
      let click = try #require(try await film.clicks().first)
      #expect(abs(click - flash - offset) < 0.002, "\(output): \(flash), \(click)")
      // It begins with whichever comes first.
      #expect(abs(min(flash, click) - 1) < 0.03, "\(output): \(flash), \(click)")
    }
  }

  @Test(arguments: ["GIF", "MJPEG"])
  func framesWithoutTimesFollowEachOther(kind: String) async throws {
    let input = "\(folder)/in.\(kind.lowercased())"
    try ffmpeg("-f lavfi -i testsrc=s=64x48:r=25:d=1 \(kind == "GIF" ? "" : "-f mjpeg") \(input)")
    _ = try await render(input, to: "\(folder)/out.mkv")
    let times = try await DecodedFile(path: "\(folder)/out.mkv").packets("v").map(\.presentation)
    #expect(times.count == 25)
    for (number, time) in times.sorted().enumerated() {
      #expect(abs(time - Double(number) / 25) < 0.002, "\(number): \(time)")
    }
  }

  /// As browsers write them: the container has neither durations nor a frame rate.
  @Test(arguments: ["out.mp4", "out.webm"])
  func framesWithoutDurationsAreAllShown(name: String) async throws {
    try ffmpeg("-f lavfi -i testsrc=s=64x48:r=30:d=1 -c:v libvpx \(folder)/in.webm")
    var bytes = try Data(contentsOf: URL(filePath: "\(folder)/in.webm"))
    // The element DefaultDuration becomes one of those that are left out.
    let place = try #require(bytes.range(of: Data([0x23, 0xE3, 0x83, 0x84])))
    bytes.replaceSubrange(place.lowerBound..<place.upperBound, with: [0xEC, 0x86, 0, 0])
    try bytes.write(to: URL(filePath: "\(folder)/in.webm"))
    _ = try await render("\(folder)/in.webm", to: "\(folder)/\(name)")
    let film = DecodedFile(path: "\(folder)/\(name)")
    #expect(try await film.stream("v").frames == 30)
    #expect(abs(try await film.duration() - 1) < 0.01)
  }

  @Test func framesAtUnevenTimesAreAllEncoded() async throws {
    try ffmpeg(
      """
      -f lavfi -i testsrc=s=64x48:r=30:d=8 -vf "select='not(mod(n,7))+not(mod(n,3))'" -fps_mode vfr \
      -c:v libvpx -b:v 300k \(folder)/in.webm
      """)
    let result = try await render("\(folder)/in.webm", to: "\(folder)/out.webm")
    #expect(try await DecodedFile(path: "\(folder)/out.webm").stream("v").frames == result.frames)
  }

  // MARK: Frames

  /// Packed formats, which the effect does not take, are converted without a loss: with depth 1, nothing changes.
  @Test(arguments: [
    ("v210.mov", "-c:v v210", "yuv422p10le"), ("v210.mkv", "-c:v v210", "yuv422p10le"),
    ("r210.mov", "-c:v r210", "gbrp10le"), ("zmbv.avi", "-c:v zmbv -pix_fmt pal8", "rgb24"),
  ])
  func packedFormatsAreRead(name: String, codec: String, format: String) async throws {
    try ffmpeg("-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 5 \(codec) \(folder)/\(name)")
    var request = RenderRequest(["\(folder)/\(name)"], to: "\(folder)/out.mkv", scan: ["depth": 1])
    request.settings = FilmSettings(codec: .ffv1)
    let result = try await FilmRendering(request).run()
    #expect(!result.warnings.contains { $0.contains("bits") || $0.contains("chroma") })
    for (number, film) in [name, "out.mkv"].enumerated() {
      try ffmpeg("-i \(folder)/\(film) -f rawvideo -pix_fmt \(format) \(folder)/\(number).raw")
    }
    let frames = try (0...1).map { try Data(contentsOf: URL(filePath: "\(folder)/\($0).raw")) }
    #expect(frames[0] == frames[1] && !frames[0].isEmpty)
  }

  /// A decoder of libav crashed where GStreamer has no name for its format.
  @Test(arguments: ["rgb48le", "ya8", "yuv440p"])
  func formatsWithoutANameAreRefused(format: String) async throws {
    try ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 5 -c:v ffv1 -pix_fmt \(format) \(folder)/in.mkv")
    await #expect(throws: CaptureError.self) {
      try await render("\(folder)/in.mkv", to: "\(folder)/out.mkv")
    }
  }

  /// One film after the other in a stream, as browsers record.
  @Test(arguments: [("320x240", "64x48"), ("64x48", "320x240")])
  func framesOfAnotherSizeAreScaled(first: String, second: String) async throws {
    for (name, size, colour) in [("1", first, "red"), ("2", second, "blue")] {
      try ffmpeg(
        "-f lavfi -i color=\(colour):s=\(size):r=25:d=1 -c:v libx264 -pix_fmt yuv420p \(folder)/\(name).ts"
      )
    }
    let stream = try (1...2).map { try Data(contentsOf: URL(filePath: "\(folder)/\($0).ts")) }
    try (stream[0] + stream[1]).write(to: URL(filePath: "\(folder)/in.ts"))
    _ = try await render("\(folder)/in.ts", to: "\(folder)/out.mkv")
    let film = DecodedFile(path: "\(folder)/out.mkv")
    let video = try await film.stream("v")
    #expect("\(video.width)x\(video.height)" == first && video.frames == 50)
    let bytes = try await film.frames(as: "rgb24")
    let frame = 3 * video.width * video.height
    let isBlue = stride(from: bytes.count - frame, to: bytes.count, by: 3).allSatisfy {
      bytes[$0] < 40 && bytes[$0 + 2] > 200
    }
    #expect(isBlue)
    let strip = StripRequest("\(folder)/in.ts", to: "\(folder)/strip.png")
    _ = try await StripPhotographing(strip).run()
    let pixels = try await DecodedFile(path: "\(folder)/strip.png").frames(as: "rgb24")
    let isFull = stride(from: 0, to: pixels.count - 2, by: 3).allSatisfy {
      pixels[$0] > 200 || pixels[$0 + 2] > 200
    }
    #expect(isFull)
  }

  @Test(arguments: ["libvpx -auto-alt-ref 0", "libvpx-vp9"])
  func videoWithAlphaIsReadAndItsLossIsNamed(codec: String) async throws {
    try ffmpeg(
      """
      -f lavfi -i "color=red:s=64x48:r=25:d=1,format=yuva420p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='X'" \
      -c:v \(codec) \(folder)/in.webm
      """)
    let result = try await render("\(folder)/in.webm", to: "\(folder)/out.mkv")
    #expect(result.frames == 25)
    #expect(result.warnings.contains { $0.contains("alpha channel") }, "\(result.warnings)")
  }

  @Test func theFilmIsTheTrackThatIsSelectedByDefault() async throws {
    try makeFlash("\(folder)/film.mkv")
    try ffmpeg(
      """
      -f lavfi -i color=green:s=32x32:d=0.04 -i \(folder)/film.mkv -map 0:v -map 1:v -map 1:a -c:v:0 mjpeg \
      -c:v:1 copy -c:a copy -disposition:v:0 0 -disposition:v:1 default \(folder)/in.mkv
      """)
    let result = try await render("\(folder)/in.mkv", to: "\(folder)/out.mkv")
    #expect(result.frames == 50 && result.hasSound)
    #expect(try await DecodedFile(path: "\(folder)/out.mkv").stream("v").width == 64)
  }

  /// HLS: the list of a stream's segments, in a folder.
  @Test func aPlaylistOfSegmentsIsOneFilm() async throws {
    try makeFlash("\(folder)/film.mkv")
    try ffmpeg(
      "-i \(folder)/film.mkv -c:v copy -c:a aac -f hls -hls_time 1 -hls_list_size 0 \(folder)/in.m3u8"
    )
    let result = try await render("\(folder)/in.m3u8", to: "\(folder)/out.mkv")
    #expect(result.frames == 50 && result.hasSound)
  }

  /// Frames of 23 a second have times that a millisecond does not divide, and the sound begins before them.
  @Test func aRemuxedFilmIsDividedAndJoined() async throws {
    try ffmpeg(
      """
      -f lavfi -i testsrc=s=64x48:r=23:d=4 -f lavfi -i sine=d=4 -c:v libx264 -pix_fmt yuv420p -bf 3 -g 24 \
      -c:a aac \(folder)/film.mp4
      """)
    try ffmpeg("-i \(folder)/film.mp4 -c copy \(folder)/in.mkv")
    let whole = try await render("\(folder)/in.mkv", to: "\(folder)/whole.mkv", ["depth": 4])
    let parts = try await RenderRequest(
      ["\(folder)/in.mkv"], to: whole.path, scan: ["depth": 4]
    ).renderParts(3, in: folder.path)
    let joined = try await FilmJoining(parts, to: "\(folder)/joined.mkv").run()
    #expect(joined.frames == whole.frames && whole.frames == 92)
  }

  // MARK: Errors

  @Test func aShortHistoryIsAnErrorUnlessItIsAllowed() async throws {
    try makeFlash("\(folder)/in.mkv")
    var request = RenderRequest(
      ["\(folder)/in.mkv"], to: "\(folder)/out.mkv", scan: ["depth": 40, "max-memory": 50_000])
    let error = await #expect(throws: CaptureError.self) { try await FilmRendering(request).run() }
    #expect(error?.message.contains("of 40 frames of history") == true, "\(error?.message ?? "")")
    #expect(!FileManager.default.fileExists(atPath: request.output))
    request.allowsLessHistory = true
    let result = try await FilmRendering(request).run()
    #expect(result.frames == 50 && result.warnings.count == 1)
  }

  @Test func anAnimatedPNGIsNotTakenForAnImage() async throws {
    try ffmpeg("-f lavfi -i testsrc=s=64x48:r=25:d=1 -f apng \(folder)/in.png")
    let result = try await render("\(folder)/in.png", to: "\(folder)/out.mkv")
    #expect(result.damage.first?.lostFrames == 24, "\(result.damage)")
  }
}
