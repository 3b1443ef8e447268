// Tests of a file's tags, and of the byte positions of its samples.

import Foundation
import GStreamer
import StreamingThread
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
    try writing.element(named: "mux").setTags(["comment": "It is short."])
    try await writing.play()
    try await writing.waitForEnd()
    await writing.stop()
    try await body(path)
  }

  @Test func aTagThatWasSetIsRead() async throws {
    try await withFile { path in
      let reading = try Pipeline("filesrc location=\(path) ! matroskademux ! fakesink name=out")
      let found = Found()
      try reading.element(named: "out").pad("sink").addProbe(.eventDownstream) { item in
        if case .event(let event) = item, event.kind == .tag { found.add(event.tags) }
        return .pass
      }
      try await reading.play()
      try await reading.waitForEnd()
      await reading.stop()
      #expect(found.tags["comment"] == .string("It is short."))
    }
  }

  private final class Found: Sendable {
    private let state = Lock<[String: Value]>([:])
    var tags: [String: Value] { state.withLock { $0 } }
    func add(_ tags: [String: Value]) { state.withLock { $0.merge(tags) { $1 } } }
  }

  @Test func tagsOfAnEventComeBack() throws {
    let tags: [String: Value] = [
      "title": "Night", "language-code": "de", "track-number": .uint(3),
      "date": .other(type: "GDate", text: "2021-05-06"), "no-such-tag": "left out",
    ]
    let event = try Event.tags(tags, isGlobal: true)
    #expect(event.hasGlobalTags)
    #expect(event.tags == tags.filter { $0.key != "no-such-tag" })
    #expect(try !Event.tags(tags, isGlobal: false).hasGlobalTags)
    #expect(try !Event.eos().hasGlobalTags)
  }

  @Test func onlyWhatHasTagsSetsThem() throws {
    #expect(throws: GStreamerError.self) {
      try Element("identity").setTags(["comment": "nothing"])
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
