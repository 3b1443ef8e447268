// Tests of `slitscan render` and `slitscan photo` on films that are damaged or only look it, and on paths that are
// not files.

import CommandUnderTest
import Foundation
import TemporaryFolder
import TestFilm
import Testing

@testable import SlitScanRender

struct DamagedFilmTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  /// Makes a film of 60 frames, or those of `source`.
  private func make(
    _ elements: String, _ name: String, in folder: URL,
    source: String = "num-buffers=60 ! video/x-raw,format=I420,width=64,height=48,framerate=30/1"
  ) async throws {
    try await TestFilm.make(
      folder.appending(path: name).path, "videotestsrc \(source) ! \(elements)")
  }

  /// An animation without an end: 20 frames of 10x10 pixels, ten in a second.
  private func makeAnimation(_ name: String, in folder: URL) throws {
    var bytes = Data("GIF89a".utf8) + [10, 0, 10, 0, 0xF6, 0, 0]
    for grey in 0..<128 as Range<UInt8> { bytes += [2 * grey, 2 * grey, 2 * grey] }
    bytes += [0x21, 0xFF, 11] + Data("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    for number in 0..<20 as Range<UInt8> {
      bytes += [0x21, 0xF9, 4, 0, 10, 0, 0, 0, 0x2C, 0, 0, 0, 0, 10, 0, 10, 0, 0]
      // So few codes are eight bits each: the first clears the table, the last ends the frame.
      bytes += [7, 102, 128] + [UInt8](repeating: 6 * number, count: 100) + [129, 0]
    }
    try (bytes + [0x3B]).write(to: folder.appending(path: name))
  }

  @Test(arguments: [
    (
      name: "in.mp4", elements: "x264enc key-int-max=30 ! mp4mux", isCut: false,
      words: "could not be decoded"
    ),
    ("in.mkv", "x264enc key-int-max=30 ! matroskamux", false, "could not be read"),
    ("in.mp4", "x264enc ! mp4mux faststart=true", true, "the file ends after"),
    ("in.mkv", "x264enc ! matroskamux", true, "the file ends after"),
    ("in.webm", "vp8enc deadline=1 ! webmmux", true, "the file ends after"),
    ("in.avi", "avenc_mpeg4 ! avimux", true, "the file ends after"),
  ])
  func framesThatCannotBeReadAreCounted(
    film: (name: String, elements: String, isCut: Bool, words: String)
  ) async throws {
    try await make(film.elements, film.name, in: folder)
    let file = folder.appending(path: film.name)
    var bytes = try Data(contentsOf: file)
    if film.isCut {
      bytes = bytes.prefix(bytes.count / 2)
    } else {
      let middle = bytes.count * 2 / 5..<bytes.count / 2
      // Whatever has a length there is longer than the file.
      bytes.replaceSubrange(middle, with: Data(repeating: 0x7F, count: middle.count))
    }
    try bytes.write(to: file)
    let render = try await slitscan("render \(film.name) -o out.mkv --json", status: 2, in: folder)
    let said = try fields(render)
    let read = try #require(said["frames"] as? Int)
    #expect(said["complete"] as? Bool == false)
    #expect(read > 0 && read < 60)
    // Where the index at the end of an AVI file is missing, its duration is that of what is left.
    if film.name != "in.avi" {
      #expect(abs((said["lost-frames"] as? Int ?? 0) + read - 60) <= 1, "\(said)")
    }
    #expect("\(said["warnings"] ?? "")".contains(film.words), "\(said)")
    #expect(try await decoded("out.mkv", in: folder).frames.count == read)

    let photo = try await slitscan("photo \(film.name) -o out.png", status: 2, in: folder)
    #expect(photo.contains("out.png: incomplete, \(read)x48"), "\(photo)")
    #expect(photo.contains("Warning: \(film.name): "), "\(photo)")
    let allowed = try await slitscan(
      "render \(film.name) -o out.mkv --force --allow-damaged", in: folder)
    #expect(allowed.contains("out.mkv: incomplete, \(read) frames"), "\(allowed)")
  }

  @Test(arguments: [
    ("in.mp4", "x264enc ! mp4mux"), ("in.mkv", "x264enc ! matroskamux"),
    ("in.avi", "avenc_mpeg4 ! avimux"),
  ])
  func aFilmBehindAnotherIsReported(name: String, elements: String) async throws {
    try await make(elements, name, in: folder)
    let file = folder.appending(path: name)
    let bytes = try Data(contentsOf: file)
    try (bytes + bytes).write(to: file)
    let render = try await slitscan("render \(name) -o out.mkv", status: 2, in: folder)
    #expect(
      render.contains("another film begins at byte \(bytes.count), which is not read"),
      "\(render)")
  }

  /// Films that have less than a careless count expects.
  @Test(arguments: [
    ("vfr.mp4", "\(uneven) ! x264enc ! mp4mux", 60),
    ("vfr.mkv", "\(uneven) ! x264enc ! matroskamux", 60),
    (
      "long-sound.mkv",
      "x264enc ! queue ! m. audiotestsrc num-buffers=216 ! avenc_aac ! queue ! m. matroskamux name=m",
      60
    ),
    ("fragments.mp4", "x264enc bframes=0 ! mp4mux fragment-duration=500", 60),
    ("stream.mkv", "x264enc ! matroskamux streamable=true", 60),
    (
      "alternate.webm",
      "vp8enc auto-alt-ref=true lag-in-frames=16 target-bitrate=200000 ! webmmux", 60
    ),
    ("interlaced.ts", "x264enc interlaced=true ! mpegtsmux", 60),
    ("packed.avi", "avenc_mpeg4 max-bframes=2 ! avimux", 60),
    ("odd.gif", "", 20),
    ("one.png", "videoconvert ! pngenc snapshot=true", 1),
  ])
  func wholeFilmsAreReportedAsComplete(name: String, elements: String, count: Int) async throws {
    if elements.isEmpty {
      try makeAnimation(name, in: folder)
    } else {
      try await make(elements, name, in: folder)
    }
    let render = try await slitscan("render \(name) -o out.mkv --json", in: folder)
    let said = try fields(render)
    #expect(said["complete"] as? Bool == true && said["lost-frames"] == nil, "\(said)")
    #expect(said["frames"] as? Int == count)
  }

  /// Has a film say that three times as many frames come in a second.
  private static let uneven = "capssetter caps=video/x-raw,framerate=90/1"

  @Test func formatChangesAreReported() async throws {
    for (name, format) in [
      ("odd.mkv", "I420,width=63,height=47"), ("fine.mkv", "Y444,width=64,height=48"),
    ] {
      try await make(
        "avenc_ffv1 ! matroskamux", name, in: folder,
        source: "num-buffers=10 ! video/x-raw,framerate=25/1,format=\(format)")
    }
    let odd = try await slitscan("render odd.mkv -o odd.mp4", in: folder)
    #expect(odd.contains("Frames of 63x47 pixels are written as 62x46"), "\(odd)")
    let kept = try await slitscan("render odd.mkv -o odd.webm", in: folder)
    #expect(!kept.contains("Warning"), "\(kept)")
    let info = try await FilmDescription(
      FilmInput(folder.appending(path: "odd.webm").path), wantsSound: false
    ).info
    #expect(info.width == 63 && info.height == 47)
    let fine = try await slitscan(
      "render fine.mkv -o fine.mp4 --codec av1 --pixel-format I420", in: folder)
    #expect(fine.contains("Frames in Y444 are written in I420"), "\(fine)")
    let lossless = try await slitscan("render fine.mkv -o lossless.mkv --lossless", in: folder)
    #expect(!lossless.contains("written in"), "\(lossless)")
  }

  @Test(arguments: ["render", "photo"])
  func anAnimationThatHasNoEndIsEnded(command: String) async throws {
    try makeAnimation("in.gif", in: folder)
    let output = command == "render" ? "out.mkv" : "out.png"
    let made = try await slitscan("\(command) in.gif -o \(output)", in: folder)
    #expect(made.contains(" 20 frames, "), "\(made)")
  }
}
