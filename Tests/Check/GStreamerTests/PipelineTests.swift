// Tests of pipelines: states, ends, errors, elements that are added and removed.

import CGStreamer
import TestClock
import Testing

@testable import GStreamer

@Suite(.serialized) struct PipelineTests {
  private let running = RunningClock()
  private var clock: TestClock { running.clock }

  @Test func aStateChangeIsOverWhenThePipelineIsThere() async throws {
    let pipeline = try Pipeline("videotestsrc ! fakesink sync=true")
    try await pipeline.pause()
    #expect(pipeline.state == .paused)
    try await pipeline.play()
    #expect(pipeline.state == .playing)
    await pipeline.stop()
    #expect(pipeline.state == .null)
    try await pipeline.prepare()
    #expect(pipeline.state == .ready)
  }

  @Test func aLivePipelinePausesWithoutAFirstBuffer() async throws {
    let pipeline = try Pipeline("videotestsrc is-live=true ! fakesink", clock: clock.clock)
    try await pipeline.pause()
    #expect(pipeline.state == .paused)
    try await pipeline.play()
    #expect(pipeline.state == .playing)
  }

  @Test func aLineOfOneElementMakesAPipelineOfIt() async throws {
    let pipeline = try Pipeline("videotestsrc name=only")
    #expect(try pipeline.element(named: "only").parent == pipeline.element)
  }

  @Test(arguments: [
    ("videotestsrc ! ! fakesink", GStreamerError.Code.syntax),
    ("nosuchelement ! fakesink", .noSuchElement),
    ("videotestsrc nosuch=1 ! fakesink", .noSuchProperty),
    ("videotestsrc ! audioconvert ! fakesink", .link),
  ]) func aLineThatMakesNoSenseIsAnError(line: String, code: GStreamerError.Code) {
    #expect { try Pipeline(line) } throws: { ($0 as? GStreamerError)?.code == code }
  }

  @Test func anElementWhoseNameIsMisspeltIsSuggested() {
    for make in [
      { _ = try Element("fakesnik") }, { _ = try Pipeline("videotestsrc ! fakesnik") },
      { _ = try Element(binOf: "fakesnik ! identity") },
    ] {
      let error = #expect(throws: GStreamerError.self, performing: make)
      #expect(error?.code == .noSuchElement)
      #expect(error?.message.contains("Did you mean fakesink?") == true, "\(error as Any)")
    }
  }

  @Test(arguments: [
    ("videotestsrc ! ! fakesink", "\"!\", word 3, after: videotestsrc !"),
    ("! fakesink", "\"!\", word 1, at the beginning of the line"),
    ("videotestsrc = 3 ! fakesink", "\"=\", word 2, after: videotestsrc"),
    ("videotestsrc name=a !", "at the end of the line, after: videotestsrc name=a !"),
    ("( videotestsrc ! fakesink", "at the end of the line, after: ( videotestsrc ! fakesink"),
    ("( videotestsrc ! fakesink ) )", "\")\", word 6, after: ( videotestsrc ! fakesink )"),
  ]) func aSyntaxErrorSaysWhere(line: String, place: String) {
    for make in [{ try _ = Pipeline(line) }, { try _ = Element(binOf: line) }] {
      let error = #expect(throws: GStreamerError.self, performing: make)
      #expect(error?.code == .syntax)
      #expect(error?.message.hasSuffix(place) == true, "\(error?.message ?? "")")
    }
  }

  @Test func aStreamThatStopsSaysWhy() async throws {
    let pipeline = try Pipeline("videotestsrc name=source ! capsfilter name=filter ! fakesink")
    try pipeline.element(named: "filter").set("caps", to: Caps("audio/x-raw"))
    let error = await #expect(throws: GStreamerError.self) { try await pipeline.play() }
    #expect(error?.code == .streamFailed)
    #expect(error?.source == "source")
    #expect(error?.message.hasSuffix(": streaming stopped, reason not-negotiated (-4)") == true)
    await pipeline.stop()
  }

  @Test func aFileThatCannotBeWrittenSaysWhatTheSystemSays() async throws {
    let pipeline = try Pipeline("videotestsrc ! filesink location=/no/such/folder/file")
    let error = await #expect(throws: GStreamerError.self) { try await pipeline.play() }
    #expect(error?.message.hasSuffix(": No such file or directory") == true)
    await pipeline.stop()
  }

  @Test func anElementThatFailsSaysWhatWhereAndWhy() async throws {
    let pipeline = try Pipeline("filesrc name=file location=/no/such/file ! fakesink")
    let error = await #expect(throws: GStreamerError.self) { try await pipeline.play() }
    #expect(error?.code == .resourceNotFound)
    #expect(error?.source == "file")
    #expect(error?.message.hasSuffix(": No such file \"/no/such/file\"") == true)
    #expect(error?.debug?.contains("/no/such/file") == true)
  }

  @Test func aFailureThatComesLaterEndsTheWaitForAState() async throws {
    let pipeline = try Pipeline("videotestsrc ! identity error-after=1 ! fakesink")
    await #expect(throws: GStreamerError.self) { try await pipeline.pause() }
    await pipeline.stop()
  }

  @Test func aPipelineThatFailedCanPlayOnceTheReasonIsGone() async throws {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=5 ! identity name=it error-after=1 ! fakesink")
    await #expect(throws: GStreamerError.self) {
      try await pipeline.play()
      try await pipeline.waitForEnd()
    }
    await pipeline.stop()
    try pipeline.element(named: "it").set("error-after", to: -1)
    try await pipeline.play()
    try await pipeline.waitForEnd()
  }

  @Test func aChangeOfStateThatFailsBeforeItsReasonIsKnownWaitsForThat() async throws {
    let pipeline = try Pipeline("appsrc ! fakesink name=out", clock: nil, limits: ManualClock())
    let messages = pipeline.bus.messages
    let playing = Task { try await pipeline.play() }
    for await message in messages where message.kind == .stateChanged { break }
    // On the pipeline's thread, where the reason comes right after the look at the state.
    let failing = await pipeline.run { pipeline in
      // As an element does that fails.
      unsafe pipeline.element.withGstElement { unsafe gst_element_abort_state($0) }
      pipeline.watch.announce()
      return Task { try pipeline.element(named: "out").fail("It broke.") }
    }
    try await failing.value
    let error = await #expect(throws: GStreamerError.self) { try await playing.value }
    #expect(error?.description == "out: It broke.")
    await pipeline.stop()
  }

  @Test func anErrorFromBeforeTheWaitForTheEndIsThrownByEachWait() async throws {
    let pipeline = try Pipeline("videotestsrc is-live=true ! fakesink name=out", clock: clock.clock)
    let messages = pipeline.bus.messages
    try await pipeline.play()
    try pipeline.element(named: "out").fail("It broke.")
    // As a source that fails ends its stream, too.
    try await pipeline.send(.eos())
    for await message in messages where message.kind == .eos { break }
    for _ in 0..<2 {
      let error = await #expect(throws: GStreamerError.self) { try await pipeline.waitForEnd() }
      #expect(error?.description == "out: It broke.")
    }
    await pipeline.stop()
  }

  @Test func aStreamThatCannotBeWrittenToItsEndDoesNotEndSilently() async throws {
    let pipeline = try Pipeline(
      "appsrc name=in ! filesink location=/dev/full buffer-mode=full buffer-size=1000000")
    let messages = pipeline.bus.messages
    let input = try AppSrc(pipeline.element(named: "in"))
    async let plays: Void = pipeline.play()
    try await input.send(WritableBuffer(byteCount: 100).finish())
    try await plays
    // What the file buffers is written at the end.
    try await input.finish()
    for await message in messages where message.kind == .error { break }
    let error = await #expect(throws: GStreamerError.self) { try await pipeline.waitForEnd() }
    #expect(error?.code == .noSpaceLeft)
    await pipeline.stop()
  }

  @Test func anAttemptToPlayThatSucceedsForgetsTheErrorOfTheOneBefore() async throws {
    let pipeline = try Pipeline("filesrc name=file location=/no/such/file ! fakesink")
    await #expect(throws: GStreamerError.self) { try await pipeline.play() }
    try pipeline.element(named: "file").set("location", to: #filePath)
    try await pipeline.play()
    try await pipeline.waitForEnd()
  }

  @Test func aChangeOfStateGivesWayToALaterOne() async throws {
    // Never prerolls: nothing is ever sent.
    let pipeline = try Pipeline("appsrc ! fakesink")
    let messages = pipeline.bus.messages
    let playing = Task { try await pipeline.play() }
    for await message in messages where message.kind == .stateChanged { break }
    await pipeline.stop()
    let error = await #expect(throws: GStreamerError.self) { try await playing.value }
    #expect(error?.code == .superseded)
  }

  @Test func aWaitForAStateThatNeverComesEndsWithItsTask() async throws {
    let pipeline = try Pipeline("appsrc ! fakesink")
    let messages = pipeline.bus.messages
    let task = Task { try await pipeline.play() }
    for await message in messages where message.kind == .stateChanged { break }
    task.cancel()
    let error = await #expect(throws: GStreamerError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    await pipeline.stop()
    #expect(pipeline.state == .null)
  }

  @Test func aFileOfWhichNothingComesIsAnErrorThatNamesIt() async throws {
    let clock = ManualClock()
    let pipeline = try Pipeline(
      "filesrc location=\(#filePath) ! identity name=dead ! fakesink", clock: nil, limits: clock)
    try pipeline.element(named: "dead").pad("src").addProbe([.buffer, .eventDownstream]) { _ in
      .drop
    }
    let passing = Task { while !Task.isCancelled { await clock.crank() } }
    let error = await #expect(throws: GStreamerError.self) { try await pipeline.play() }
    passing.cancel()
    #expect(error?.code == .stalled)
    #expect(error?.message.contains(#filePath) == true)
    await pipeline.stop()
  }

  @Test func theEndOfTheStreamIsAlsoReportedToLateCallers() async throws {
    let pipeline = try Pipeline("videotestsrc num-buffers=10 ! fakesink")
    try await pipeline.play()
    try await pipeline.waitForEnd()
    try await pipeline.waitForEnd()
    await pipeline.stop()
    try await pipeline.play()
    try await pipeline.waitForEnd()
  }

  @Test func aStreamThatHasNoEndGetsOne() async throws {
    let pipeline = try Pipeline("videotestsrc is-live=true ! fakesink", clock: clock.clock)
    try await pipeline.play()
    try await pipeline.endStream()
  }

  @Test(arguments: [State.null, .ready])
  func aWaitForTheEndEndsWhenTheStreamIsGivenUp(state: State) async throws {
    let pipeline = try Pipeline("videotestsrc ! fakesink name=out sync=true")
    // On the pipeline's thread, so that each has begun before the next call does anything.
    let waiting = { await pipeline.run { pipeline in Task { try await pipeline.waitForEnd() } } }
    // One that begins before the stream does waits for that.
    var waits = [await waiting()]
    try await pipeline.play()
    waits.append(await waiting())
    if state == .null { await pipeline.stop() } else { try await pipeline.prepare() }
    for wait in waits {
      let error = await #expect(throws: GStreamerError.self) { try await wait.value }
      #expect(error?.code == .stopped)
    }
    let next = await waiting()
    try await pipeline.play()
    try await pipeline.endStream()
    try await next.value
  }

  @Test func aSeekThatIsRefusedForgetsNeitherTheEndNorAnError() async throws {
    let pipeline = try Pipeline("appsrc name=in ! fakesink name=out")
    let input = try AppSrc(pipeline.element(named: "in"))
    for isBroken in [false, true] {
      async let plays: Void = pipeline.play()
      try await input.send(WritableBuffer(byteCount: 100).finish())
      try await plays
      if isBroken {
        try pipeline.element(named: "out").fail("It broke.")
      } else {
        try await input.finish()
        try await pipeline.waitForEnd()
      }
      let refusal = await #expect(throws: GStreamerError.self) {
        try await pipeline.seek(to: .zero)
      }
      #expect(refusal?.code == .refused)
      if isBroken {
        let error = await #expect(throws: GStreamerError.self) { try await pipeline.waitForEnd() }
        #expect(error?.description == "out: It broke.")
      } else {
        try await pipeline.waitForEnd()
      }
      await pipeline.stop()
    }
  }

  @Test func aSeekIsOverWhenTheSinkHoldsWhatWasAskedFor() async throws {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=300 ! video/x-raw,framerate=30/1 ! fakesink sync=true")
    try await pipeline.pause()
    try await pipeline.seek(to: .seconds(5))
    #expect(await pipeline.position == .seconds(5))
    #expect(await pipeline.duration == .seconds(10))
  }

  @Test func aStreamThatCannotSeekRefuses() async throws {
    let pipeline = try Pipeline("appsrc ! fakesink")
    let error = await #expect(throws: GStreamerError.self) { try await pipeline.seek(to: .zero) }
    #expect(error?.code == .refused)
  }

  @Test func aSinkInTimeDoesNotMakeAPipelineLive() async throws {
    let pipeline = try Pipeline("videotestsrc ! fakesink sync=true")
    try await pipeline.play()
    #expect(await pipeline.latency?.isLive == false)
  }

  @Test func latencyIsThatOfTheSlowestElement() async throws {
    let pipeline = try Pipeline(
      "videotestsrc is-live=true ! queue min-threshold-time=70000000 ! fakesink sync=true",
      clock: clock.clock)
    try await pipeline.play()
    #expect(await pipeline.latency?.isLive == true)
  }

  @Test func everyReaderOfTheBusGetsAllMessagesInOrderUntilThePipelineGoes() async throws {
    var pipeline: Pipeline? = try Pipeline("videotestsrc num-buffers=3 ! fakesink name=out")
    let readers = try (0..<3).compactMap { _ in try #require(pipeline).bus.messages }
    try await pipeline?.play()
    try await pipeline?.waitForEnd()
    await pipeline?.stop()
    pipeline = nil
    for messages in readers {
      var states: [State] = []
      for await message in messages where message.source?.name == "out" {
        if let change = message.stateChange { states.append(change.to) }
      }
      #expect(states == [.ready, .paused, .playing, .paused, .ready, .null])
    }
  }

  /// As `playbin` tries sinks before it uses one.
  @Test func anElementThatIsInNoBinYetStaysItsMakersWhenItPosts() async throws {
    let pipeline = try Pipeline("videotestsrc ! fakesink")
    let messages = pipeline.bus.messages
    let isFloating = unsafe pipeline.element.withGstElement { pipeline in
      let element = unsafe gst_element_factory_make("fakesink", "tried")
      defer {
        unsafe gst_element_set_state(element, GST_STATE_NULL)
        unsafe gst_object_unref(element)
      }
      let bus = unsafe gst_element_get_bus(pipeline)
      unsafe gst_element_set_bus(element, bus)
      unsafe gst_object_unref(bus)
      unsafe gst_element_set_state(element, GST_STATE_READY)
      return unsafe g_object_is_floating(element) != 0
    }
    #expect(isFloating)
    for await message in messages where message.source?.name == "tried" { break }
  }

  @Test func aReaderOfTheBusWhoIsCancelledIsDone() async throws {
    let pipeline = try Pipeline("videotestsrc ! fakesink")
    let messages = pipeline.bus.messages
    let task = Task { for await _ in messages {} }
    task.cancel()
    await task.value
    withExtendedLifetime(pipeline) {}
  }

  @Test func aPipelineIsPutTogetherFromElements() async throws {
    let pipeline = try Pipeline()
    let source = try Element("videotestsrc")
    let sink = try Element("fakesink", name: "out")
    try source.set("num-buffers", to: 5)
    try await pipeline.add(source, sink)
    try await pipeline.link(source, sink)
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await #expect(throws: GStreamerError.self) { try await pipeline.add(source) }
  }

  @Test func aDecodersPadsAreLinkedAsTheyCome() async throws {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=5 ! jpegenc ! decodebin name=decoder videoconvert name=next ! fakesink"
    )
    let next = try pipeline.element(named: "next")
    try pipeline.element(named: "decoder").connect("pad-added") { arguments in
      if case .pad(let pad)? = arguments.first { try? pad.link(to: next.pad("sink")) }
      return nil
    }
    try await pipeline.play()
    try await pipeline.waitForEnd()
    #expect(try next.pad("sink").isLinked)
  }

  @Test func aDecoderMayBeReadyLateInABinThatIsLive() async throws {
    let input = try AppSrc(caps: NumberedFrames.info().caps())
    let decoder = try Element("decodebin")
    let pace = try Element("identity")
    try pace.set("sync", to: true)
    let bin = try Element(chaining: [input.element, decoder, pace])
    // Without this, the pipeline never plays.
    bin.keepsState = true
    let output = try AppSink(isSynchronized: false)
    let pipeline = try Pipeline()
    try await pipeline.add(bin, output.element)
    try await pipeline.link(bin, output.element)
    let messages = pipeline.bus.messages
    // What keeps time counts as live, so nothing waits for the decoder.
    try await pipeline.pause()
    try await input.send(NumberedFrames.make(0))
    for await message in messages {
      if message.source == decoder, message.stateChange?.to == .paused { break }
    }
    try await pipeline.play()
    for number in 1..<5 { try await input.send(NumberedFrames.make(number)) }
    try await input.finish()
    var count = 0
    for try await _ in output.samples { count += 1 }
    #expect(count == 5)
  }

  @Test func aBranchComesAndGoesWhileTheRestPlays() async throws {
    let pipeline = try Pipeline(
      "videotestsrc is-live=true ! video/x-raw,width=16,height=16,framerate=200/1 ! tee name=t "
        + "t. ! queue ! fakesink name=first", clock: clock.clock)
    let tee = try pipeline.element(named: "t")
    try await pipeline.play()
    for _ in 0..<5 {
      let branch = try Element(binOf: "queue ! appsink name=out")
      let sink = try AppSink(branch.element(named: "out"))
      let pad = try tee.requestPad("src_%u")
      try await pipeline.add(branch)
      try await pipeline.syncState(of: branch)
      try pad.link(to: branch.pad("sink"))
      var count = 0
      for try await _ in sink.samples {
        count += 1
        if count == 3 { break }
      }
      #expect(count == 3)
      let blocked = try await pad.block()
      try pad.unlink(from: branch.pad("sink"))
      blocked.release()
      tee.release(pad)
      await pipeline.remove(branch)
      #expect(branch.parent == nil)
    }
    #expect(tee.pads.count == 2)
    // GStreamer brings it back to where it was after the first buffer of the last branch, on another thread.
    while pipeline.state != .playing { await Task.yield() }
  }

  @Test func aPadIsIdleOnceWhetherDataFlowsOrNot() async throws {
    let pipeline = try Pipeline("videotestsrc ! fakesink name=out sync=false")
    let pad = try pipeline.element(named: "out").pad("sink")
    let heard = Shared<[String]>([])
    let source = try #require(pad.peer)
    try await source.whenIdle { heard.withLock { $0.append("still") } }
    try await pipeline.play()
    try await source.whenIdle { heard.withLock { $0.append("flowing") } }
    #expect(heard.value == ["still", "flowing"])
  }

  @Test func aWaitForAPadWhereNothingComesEndsWithItsTask() async throws {
    let pipeline = try Pipeline("appsrc ! fakesink name=out")
    let pad = try pipeline.element(named: "out").pad("sink")
    let task = Task { _ = try await pad.block() }
    task.cancel()
    let error = await #expect(throws: GStreamerError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test func aProbeSeesDropsAndGoes() async throws {
    let pipeline = try Pipeline("videotestsrc num-buffers=10 ! fakesink name=out")
    let heard = Shared<[String]>([])
    try pipeline.element(named: "out").pad("sink").addProbe([.buffer, .eventDownstream]) { item in
      guard case .buffer(let buffer) = item else { return .pass }
      heard.withLock { $0.append("\(buffer.offset ?? 99)") }
      return heard.value.count == 3 ? .remove : .drop
    }
    try await pipeline.play()
    try await pipeline.waitForEnd()
    #expect(heard.value == ["0", "1", "2"])
    let statistics: Structure = try pipeline.element(named: "out").get("stats")
    #expect(statistics.get("rendered", as: UInt64.self) == 8)
  }

  @Test func aPipelineThatIsLetGoOfInTheMiddleOfEverythingStops() async throws {
    for _ in 0..<20 {
      let pipeline = try Pipeline("videotestsrc ! queue ! fakesink")
      let task = Task { try await pipeline.play() }
      if Bool.random() { await Task.yield() }
      task.cancel()
    }
  }
}
