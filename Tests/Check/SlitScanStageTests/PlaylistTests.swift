// Tests of playlists: what is in a list, and clips one after the other by the frames that they give.

import AwaitedProgram
import Foundation
import GStreamer
import SlitScanCapture
import StageUnderTest
import TemporaryFolder
import TestClock
import Testing

@testable import SlitScanStage

@Suite struct PlaylistTests {
  private let folder = TemporaryFolder()
  private let running = RunningClock()
  private var streamClock: TestClock { running.clock }

  /// Whether a frame is white in the middle.
  private static func isWhite(_ sample: Sample) throws -> Bool { try sample.rows()[1] > 128 }

  // MARK: Lists

  @Test func aListHasCommentsPathsAndAddresses() throws {
    let text =
      "\u{FEFF}#EXTM3U\r\n#EXTINF:3,A name\r\n\r\n  a b.mp4 \r\nsub/../ä.mkv\n/else/c.mov\nhttps://example.org/d.mp4\r"
    #expect(
      Playlist.clips(of: Data(text.utf8), in: URL(filePath: "/lists/show.m3u8")) == [
        "/lists/a b.mp4", "/lists/ä.mkv", "/else/c.mov", "https://example.org/d.mp4",
      ])
    // As old programs write them.
    #expect(
      Playlist.clips(of: Data([0xE4, 0x2E, 0x74, 0x73]), in: URL(filePath: "/x.m3u")) == ["/ä.ts"])
  }

  @Test func pathsMayBeWrittenAsInAddresses() throws {
    for name in ["a b.mp4", "ä.mkv", "100%25.mp4"] { try folder.write(name) }
    let list =
      "a%20b.mp4\n\(folder.path)/%C3%A4.mkv\na b.mp4\n100%25.mp4\nfile://\(folder.path)/a%20b.mp4\n"
    #expect(
      Playlist.clips(of: Data(list.utf8), in: folder.url.appending(path: "show.m3u8"))
        == ["a b.mp4", "ä.mkv", "a b.mp4", "100%25.mp4"].map { "\(folder.path)/\($0)" }
        + ["file://\(folder.path)/a%20b.mp4"])
  }

  @Test func aFolderIsPlayedInTheOrderOfItsNumbers() async throws {
    for name in ["10.mp4", "9.mp4", "B.mp4", "a.mp4", ".hidden.mp4"] { try folder.write(name) }
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "0 folder"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/gone.mp4", withDestinationPath: "/nowhere")
    let paths = try Playlist(folder.path).paths()
    #expect(
      paths.map { ($0 as NSString).lastPathComponent } == ["9.mp4", "10.mp4", "a.mp4", "B.mp4"])
  }

  @Test func aListWithoutClipsIsAnErrorAtTheBeginning() async throws {
    let list = try folder.write("empty.m3u", "# nothing\n\n".utf8)
    let noise = try folder.write("noise.m3u", [35, 0, 255])
    let broken = try folder.write("broken.m3u", "broken.m3u\nnowhere.mp4\n".utf8)
    let nothing = folder.path + "/nothing"
    try FileManager.default.createDirectory(atPath: nothing, withIntermediateDirectories: true)
    for (path, message) in [
      (list, "there is no clip in it"), (nothing, "there is no clip in it"),
      (noise, "is no list of clips"), ("/nowhere.m3u", "no such playlist"),
      (broken, "None of the 2 clips can be played. broken.m3u: This is a text file"),
    ] {
      for others in [[], [LiveSource.pattern("black")]] {
        let stage = try CaptureStage(LiveSource(path), and: others, scan: .off)
        let error = await #expect(throws: StageError.self) { try await stage.start() }
        #expect(error?.code == .noVideo)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
      }
    }
  }

  // MARK: Frames

  /// There is no sender for the address.
  @Test func aClipThatNeverGivesAFrameIsSkipped() async throws {
    let clip = folder.path + "/1.mkv"
    try await makeClip(clip, "white", frames: 10)
    let silent = "udp://127.0.0.1:0"
    let clock = ManualClock()
    let (events, tell) = AsyncStream.makeStream(of: PlaylistSource.Event.self)
    // Only the silent one has a limit that is reached.
    let playlist = PlaylistSource(
      { [clip, silent] }, tell: { tell.yield($0) },
      patience: { $0 == silent ? .seconds(3) : .seconds(3600) }, clock: clock)
    let begin = clock.now
    let passing = Task {
      while clock.now < begin + .seconds(3) {
        let look = clock.now + .milliseconds(300)
        await clock.sleeper(until: look)
        clock.advance(to: look)
      }
    }
    let frames = try await playlist.frames(clock: streamClock.clock)
    var reader = frames.makeAsyncIterator()
    for _ in 0..<15 { try #require(try await reader.next() != nil) }
    await frames.stop()
    await passing.value
    tell.finish()
    var skipped: [String] = []
    for await case .skips(let path, let error) in events {
      skipped.append(path)
      #expect(error.code == .sourceFailed)
      #expect(error.message == "It takes too long to give its first frame.")
    }
    #expect(skipped == [silent])
  }

  @Test func aClipThatIsRequestedBeforeAnotherEndsIsTheNextOne() async throws {
    // It breaks off at its last frame.
    let paths = [folder.path + "/1.avi"] + [2, 4].map { "\(folder.path)/\($0).mkv" }
    try await makeBrokenClip(paths[0], frames: 300)
    for path in paths.dropFirst() { try await makeClip(path, "black", frames: 3000) }
    let silent = "udp://127.0.0.1:0"
    let clock = ManualClock()
    let events = AsyncStream.makeStream(of: PlaylistSource.Event.self)
    let playlist = PlaylistSource(
      { [paths[0], paths[1], silent, paths[2]] }, tell: { events.continuation.yield($0) },
      patience: { $0 == silent ? .seconds(3) : .seconds(3600) }, clock: clock)
    let frames = try await playlist.frames(clock: streamClock.clock)
    let begin = clock.now
    let change = Task { try await playlist.change(by: 2) }
    await clock.sleeper(until: begin + .milliseconds(300))
    let reading = Task { for try await _ in frames {} }
    var news = events.stream.makeAsyncIterator()
    #expect(await news.next() == .begins(paths[0]))
    guard case .skips(paths[0], _)? = await news.next() else {
      Issue.record("The clip has not broken off.")
      return
    }
    await playlist.rest()
    // The silent one is skipped.
    while clock.now < begin + .seconds(3) {
      let look = clock.now + .milliseconds(300)
      await clock.sleeper(until: look)
      clock.advance(to: look)
    }
    try await change.value
    guard case .skips(silent, _)? = await news.next() else {
      Issue.record("The silent clip was not skipped.")
      return
    }
    #expect(await news.next() == .begins(paths[2]))
    await frames.stop()
    try await reading.value
  }

  private func makeBrokenClip(_ path: String, frames: Int) async throws {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=\(frames) ! video/x-raw,width=64,height=48,framerate=30/1 ! "
        + "pngenc ! avimux ! filesink location=\"\(path)\"")
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()
    var bytes = try Data(contentsOf: URL(filePath: path))
    let pixels = try #require(bytes.range(of: Data("IDAT".utf8), options: .backwards)).upperBound
    bytes.replaceSubrange(pixels..<pixels + 50, with: Data(repeating: 7, count: 50))
    try bytes.write(to: URL(filePath: path))
  }

  /// Ten frames in a second that say that each is shown for a thirtieth.
  @Test func aClipKeepsTheTimesOfItsFrames() async throws {
    let line =
      "ffmpeg -v error -f lavfi -i color=white:s=64x48:r=30:d=1 -vf \"select='not(mod(n,3))'\" -fps_mode vfr "
      + "-c:v ffv1 -pix_fmt yuv420p \(folder.path)/1.mkv"
    try AwaitedProgram.shell(line)
    try await makeClip(folder.path + "/2.mkv", "black", frames: 30)
    let playlist = PlaylistSource(
      { () throws(CaptureError) in try Playlist(folder.path).paths() }, clock: ManualClock())
    var white = 0
    for try await sample in try await playlist.frames(clock: streamClock.clock) {
      guard try Self.isWhite(sample) else { break }
      white += 1
    }
    #expect((26...31).contains(white), "\(white)")
  }

  @Test func clipsOfAllKindsComeOneAfterTheOtherWithoutAGap() async throws {
    try await makeClip(folder.path + "/1.mkv", "white", frames: 10)
    try folder.write("2.mkv", "no video".utf8)
    try await makeClip(
      folder.path + "/3.mkv", "black", frames: 10, format: "Y444,width=30,height=30,framerate=15/1")
    let events = AsyncStream.makeStream(of: PlaylistSource.Event.self)
    let playlist = PlaylistSource(
      { () throws(CaptureError) in try Playlist(folder.path).paths() },
      tell: { events.continuation.yield($0) }, clock: ManualClock())
    var shown: [Bool] = []
    var end: ClockTime?
    for try await sample in try await playlist.frames(clock: streamClock.clock) {
      let buffer = try #require(sample.buffer)
      let info = try VideoInfo(try #require(sample.caps))
      #expect(info.width == 64 && info.height == 48 && info.frameRate == 30)
      let time = try #require(buffer.presentationTime)
      if let end {
        #expect((time.nanoseconds..<time.nanoseconds + 2).contains(end.nanoseconds + 1))
      }
      end = time + (buffer.duration ?? .zero)
      shown.append(try Self.isWhite(sample))
      if shown.count == 70 { break }
    }
    // Ten frames, and as long as ten of half the rate take; round and round.
    // Where the rate changes, up to two frames more or less.
    let white = shown.split(whereSeparator: { !$0 }).map(\.count)
    let black = shown.split(whereSeparator: { $0 }).map(\.count)
    #expect(white.count == 3 && white.allSatisfy { (8...12).contains($0) }, "\(shown)")
    #expect(black.prefix(2).allSatisfy { (18...22).contains($0) }, "\(shown)")
    #expect(white[1] + black[1] == 30, "\(shown)")
    events.continuation.finish()
    var names: [String] = []
    for await event in events.stream {
      switch event {
      case .begins(let path): names.append((path as NSString).lastPathComponent)
      case .skips(let path, let error):
        names.append("not \((path as NSString).lastPathComponent)")
        #expect(error.message == "This is a text file, not a video.")
      }
    }
    #expect(
      names.filter { $0.hasPrefix("not") } == ["not 2.mkv"], "told once: \(names)")
    #expect(
      names.filter { !$0.hasPrefix("not") }.prefix(5)
        == ["1.mkv", "3.mkv", "1.mkv", "3.mkv", "1.mkv"])
  }

  @Test func aPlaylistTellsItsClipsOnlyWhileItIsShown() async throws {
    for name in ["1", "2"] { try await makeClip("\(folder.path)/\(name).mkv", "ball", frames: 5) }
    let streamClock = TestClock()
    let stage = try CaptureStage(
      .pattern("black"), and: [LiveSource(folder.path)], scan: .off, on: streamClock)
    var news = stage.news.makeAsyncIterator()
    try await streamClock.run { try await stage.start() }
    let frames = await ClockedFrames(of: stage, on: streamClock)
    // Each clip has ended several times.
    for _ in 0..<60 { _ = try await frames.next() }
    await stage.tell(.notice("It is shown."))
    await stage.showSource(1, over: .zero)
    #expect(await news.nextSentence() == "It is shown.")
    let told = await streamClock.run { await news.nextSentence() }
    #expect(told.hasPrefix("Source 2: "))
    await stage.stop()
  }

  @Test(arguments: [false, true]) func clipsAreChangedByHand(isMixed: Bool) async throws {
    for (name, pattern) in [("1", "white"), ("2", "black"), ("3", "white")] {
      try await makeClip("\(folder.path)/\(name).mkv", pattern, frames: 3000, encoder: "jpegenc")
    }
    let streamClock = TestClock()
    let stage = try CaptureStage(
      LiveSource(folder.path), and: isMixed ? [.pattern("black")] : [], scan: .off, on: streamClock)
    var news = stage.news.makeAsyncIterator()
    try await streamClock.run { try await stage.start() }
    let name = isMixed ? "Source 1: " : ""
    let performance = await Performance(on: stage)
    let frames = await ClockedFrames(of: stage, on: streamClock)
    #expect(await news.nextSentence() == "\(name)1.mkv")
    _ = try await frames.first(where: Self.isWhite)
    for (move, clip, isWhite) in [
      ("next-clip", "2", false), ("previous-clip", "1", true), ("previous-clip", "3", true),
    ] {
      try await performance.perform(Move(move))
      _ = try await frames.first { try Self.isWhite($0) == isWhite }
      let told = await streamClock.run { await news.nextSentence() }
      #expect(told == "\(name)\(clip).mkv")
    }
    if isMixed {
      try await performance.perform(.source(2, beats: 0))
      let error = await #expect(throws: StageError.self) {
        try await performance.perform(Move("next-clip"))
      }
      #expect(error?.message.hasPrefix("The source that is shown is no playlist.") == true)
    }
    await stage.stop()
  }
}

extension PlaylistSource {
  /// Returns when everything it does waits for something.
  fileprivate func rest() {}
}
