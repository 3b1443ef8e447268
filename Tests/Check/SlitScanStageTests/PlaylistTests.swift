// Tests of playlists: what is in a list, and clips one after the other by the frames that they give.

import Foundation
import GStreamer
import SlitScanCapture
import Testing

@testable import SlitScanStage

@Suite(.serialized, .timeLimit(.minutes(10))) struct PlaylistTests {
  private static func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  /// Writes a clip of ten frames of one brightness.
  private static func write(
    _ pattern: String, _ format: String = "I420,width=64,height=48,framerate=30/1", to url: URL
  ) async throws {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=10 pattern=\(pattern) ! video/x-raw,format=\(format) ! "
        + "avenc_ffv1 ! matroskamux ! filesink location=\"\(url.path)\"")
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()
  }

  /// Whether a frame is white in the middle.
  private static func isWhite(_ sample: Sample) throws -> Bool {
    let frame = try sample.videoFrame()
    return frame.row(24, ofPlane: 0)[32] > 128
  }

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

  @Test func aFolderIsPlayedInTheOrderOfItsNumbers() async throws {
    try await Self.withFolder { folder in
      for name in ["10.mp4", "9.mp4", "B.mp4", "a.mp4", ".hidden.mp4"] {
        try Data().write(to: folder.appending(path: name))
      }
      try FileManager.default.createDirectory(
        at: folder.appending(path: "0 folder"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: "gone.mp4").path, withDestinationPath: "/nowhere")
      let paths = try Playlist(folder.path).paths()
      #expect(
        paths.map { ($0 as NSString).lastPathComponent } == ["9.mp4", "10.mp4", "a.mp4", "B.mp4"])
    }
  }

  @Test func aListWithoutClipsIsAnErrorAtTheBeginning() async throws {
    try await Self.withFolder { folder in
      let list = folder.appending(path: "empty.m3u")
      try Data("# nothing\n\n".utf8).write(to: list)
      let noise = folder.appending(path: "noise.m3u")
      try Data([35, 0, 255]).write(to: noise)
      let broken = folder.appending(path: "broken.m3u")
      try Data("broken.m3u\nnowhere.mp4\n".utf8).write(to: broken)
      let nothing = folder.appending(path: "nothing")
      try FileManager.default.createDirectory(at: nothing, withIntermediateDirectories: true)
      for (path, message) in [
        (list.path, "there is no clip in it"), (nothing.path, "there is no clip in it"),
        (noise.path, "is no list of clips"), ("/nowhere.m3u", "no such playlist"),
        (broken.path, "None of the 2 clips can be played. broken.m3u: This is a text file"),
      ] {
        for others in [[], [LiveSource.pattern("black")]] {
          let stage = try CaptureStage(LiveSource(path), and: others, scan: .off)
          let error = await #expect(throws: StageError.self) { try await stage.start() }
          #expect(error?.code == .noVideo)
          #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
      }
    }
  }

  // MARK: Frames

  /// Nobody sends anything to the address.
  @Test func aClipThatNeverGivesAFrameIsSkipped() async throws {
    try await Self.withFolder { folder in
      let clip = folder.appending(path: "1.mkv")
      try await Self.write("white", to: clip)
      let silent = "udp://127.0.0.1:0"
      let events = AsyncStream.makeStream(of: PlaylistSource.Event.self)
      // The other one may take long on a machine that is busy.
      let playlist = PlaylistSource(
        { [clip.path, silent] }, tell: { events.continuation.yield($0) },
        patience: { $0 == silent ? .seconds(3) : .seconds(3600) })
      var count = 0
      for try await _ in try await playlist.frames() {
        count += 1
        if count == 15 { break }
      }
      #expect(count == 15)
      events.continuation.finish()
      var skipped: [String] = []
      for await case .skips(let path, let error) in events.stream {
        skipped.append(path)
        #expect(error.code == .sourceFailed)
        #expect(error.message == "It takes too long to give its first frame.")
      }
      #expect(skipped == [silent])
    }
  }

  @Test func clipsOfAllKindsComeOneAfterTheOtherWithoutAGap() async throws {
    try await Self.withFolder { folder in
      try await Self.write("white", to: folder.appending(path: "1.mkv"))
      try Data("no video".utf8).write(to: folder.appending(path: "2.mkv"))
      try await Self.write(
        "black", "Y444,width=30,height=30,framerate=15/1", to: folder.appending(path: "3.mkv"))
      let events = AsyncStream.makeStream(of: PlaylistSource.Event.self)
      let playlist = PlaylistSource({ () throws(CaptureError) in try Playlist(folder.path).paths() }
      ) {
        events.continuation.yield($0)
      }
      var shown: [Bool] = []
      var end: ClockTime?
      for try await sample in try await playlist.frames() {
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
  }

  @Test(arguments: [false, true])
  func clipsAreChangedByHand(isMixed: Bool) async throws {
    try await Self.withFolder { folder in
      for (name, pattern) in [("1", "white"), ("2", "black"), ("3", "white")] {
        let made = try Pipeline(
          "videotestsrc num-buffers=3000 pattern=\(pattern) ! "
            + "video/x-raw,width=64,height=48,framerate=30/1 ! jpegenc ! matroskamux ! "
            + "filesink location=\"\(folder.appending(path: name + ".mkv").path)\"")
        try await made.play()
        try await made.waitForEnd()
        await made.stop()
      }
      let others: [LiveSource] = isMixed ? [.pattern("black")] : []
      let stage = try CaptureStage(
        LiveSource(folder.path), and: others,
        VideoRequest(width: 64, height: 48, frameRate: 30), scan: .off)
      var news = stage.news.makeAsyncIterator()
      func next() async -> String {
        while let change = await news.next() {
          if case .notice(let text) = change { return text }
        }
        return ""
      }
      try await stage.start()
      let name = isMixed ? "Source 1: " : ""
      #expect(await next() == "\(name)1.mkv")
      let performance = await Performance(on: stage)
      let frames = await stage.capture.frames()
      var reader = frames.makeAsyncIterator()
      while try !Self.isWhite(#require(try await reader.next())) {}
      try await performance.perform(Move("next-clip"))
      #expect(await next() == "\(name)2.mkv")
      while try Self.isWhite(#require(try await reader.next())) {}
      try await performance.perform(Move("previous-clip"))
      #expect(await next() == "\(name)1.mkv")
      while try !Self.isWhite(#require(try await reader.next())) {}
      try await performance.perform(Move("previous-clip"))
      #expect(await next() == "\(name)3.mkv")
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
}
