// Tests of a file's tags, and of the byte positions of its samples.

import Foundation
import GStreamer
import Testing

@Suite struct TagTests {
  private func withFile(_ body: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.path + "/slitscan-\(UUID().uuidString).mkv"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writing = try Pipeline(
      """
      videotestsrc num-buffers=50 ! video/x-raw,width=32,height=32,framerate=25/1 ! jpegenc \
      ! matroskamux name=mux ! filesink location=\(path)
      """)
    try writing.element(named: "mux").setTags(TagList(["comment": "It is short."]))
    try await writing.play()
    try await writing.waitForEnd()
    await writing.stop()
    try await body(path)
  }

  @Test func aTagThatWasSetIsReadFromTheBusAndThePad() async throws {
    try await withFile { path in
      let reading = try Pipeline("filesrc location=\(path) ! matroskademux ! fakesink name=out")
      let messages = reading.bus.messages
      try await reading.play()
      try await reading.waitForEnd()
      var found = TagList()
      for await message in messages {
        if let tags = message.tags { found.merge(tags) }
        if message.kind == .eos { break }
      }
      #expect(found.get("comment") == "It is short.")
      let pad = try reading.element(named: "out").pad("sink")
      #expect(pad.tags.get("comment") == "It is short.")
      #expect(pad.tags.get("video-codec", as: String.self) != nil)
      #expect(pad.tagLists.map { $0["comment"] != nil } == pad.tagLists.map(\.isGlobal))
      await reading.stop()
    }
  }

  @Test func tagsOfAnEventComeBack() throws {
    var tags = try TagList([
      "title": "Night", "language-code": "de", "track-number": .uint(3),
      "date": .other(type: "GDate", text: "2021-05-06"), "artist": .array(["A", "B"]),
    ])
    for isGlobal in [false, true] {
      tags.isGlobal = isGlobal
      let event = try Event.tags(tags)
      #expect(event.tags == tags)
      #expect(event.tags?.isGlobal == isGlobal)
    }
    #expect(tags.get("track-number") == 3)
    #expect(tags.values(of: "artist") == ["A", "B"])
    #expect(tags["artist"] == "A, B")
    #expect(try Event.eos().tags == nil)
  }

  @Test func aListIsAValue() throws {
    let first = try TagList(["title": "Night", "artist": "A"])
    var second = first
    second.merge(try TagList(["title": "Day"]))
    second.remove("artist")
    #expect(first["title"] == "Night")
    #expect(second == (try TagList(["title": "Day"])))
    #expect(first.filter { $0 == "artist" }.names == ["artist"])
    #expect(TagList() == first.filter { _ in false })
  }

  @Test func aTagThatIsNotThereOrOfAnotherTypeIsRefused() throws {
    var tags = try TagList(["title": "Night"])
    let unknown = #expect(throws: GStreamerError.self) { try tags.set("no-such-tag", to: "x") }
    #expect(unknown?.code == .noSuchTag)
    let misfit = #expect(throws: GStreamerError.self) {
      try tags.set("title", to: Value.array(["Day", 3]))
    }
    #expect(misfit?.code == .wrongType)
    #expect(tags["title"] == "Night")
  }

  @Test func tagsAreValuesOfSignalsAndProperties() throws {
    let tags = try TagList(["title": "Night"])
    let structure = Structure("tags", ["list": .tags(tags)])
    let event = try Event.custom(structure)
    #expect(event.structure?.get("list") == tags)
  }

  @Test func onlyWhatHasTagsSetsThem() throws {
    #expect(throws: GStreamerError.self) {
      try Element("identity").setTags(TagList())
    }
  }

  @Test func aSampleSaysWhereItIsInTheStreamAfterASeek() async throws {
    try await withFile { path in
      let reading = try Pipeline(
        "filesrc location=\(path) ! matroskademux ! jpegdec ! appsink name=out sync=false")
      let sink = try AppSink(reading.element(named: "out"))
      try await reading.pause()
      try await reading.seek(to: .seconds(1))
      try await reading.play()
      let sample = try #require(try await sink.samples.first { _ in true })
      #expect(sample.streamTime == .seconds(1))
      #expect(sample.runningTime == .zero)
      await reading.stop()
    }
  }
}
