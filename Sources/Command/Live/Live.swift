// The command `slitscan live` plays a live show.

import ArgumentParser
import FoundationEssentials
import GStreamer
import SlitScanCapture
import SlitScanMIDI
import SlitScanOSC
import SlitScanRemote
import SlitScanStage
import SlitScanTerminal

struct Live: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a camera, a clip or a stream through the effect, live.",
    discussion: """
      SOURCE is a camera (such as /dev/video0; default: the first one), a clip, which is looped, a playlist (a \
      folder of clips or an .m3u file), \
      pattern:NAME (pattern:demo, or one of videotestsrc's), or a URL. While one is gone, --fallback is shown in its place, and \
      the past is kept. \
      Several sources all play, scaled to --size (default: 1280x720) and --fps (default: 30); the key v and the \
      move source show another, which enters the history along the map.

      Without --preset, --set and --replay, a show begins with the preset \(Self.firstPreset).

      Keys work in the terminal and in the window; press ? for a list. --output selects where the video \
      goes, and can be repeated (`slitscan devices` lists displays):

        window             a window (default); F11, F or double click: full screen
        fullscreen         the full screen
        fullscreen:2       the second display; also window:2, or a display's name
        pipewire           a camera for other desktop programs (PipeWire 1.0)
        v4l2:/dev/video10  a camera for any program, by v4l2loopback
        srt://:7001        a stream that others can connect to
        rtp://host:5004    H.264 in RTP
        shm:/tmp/slitscan  raw frames in shared memory
        sink:ELEMENTS      GStreamer elements, as in a launch line

      --osc receives OSC messages such as /slitscan/gain 2.5; `slitscan osc` lists the addresses. \
      Other machines (with --osc-bind) and phones set a property only within the range of its fader, or \
      as far as its initial value, and cannot choose file names. --midi receives MIDI: select a property, \
      press m, and move the control that is to set it.

      --remote serves a web page with the video and all faders to browsers on this machine, and with \
      --remote-bind 0.0.0.0 also to phones in the network, which then need a pairing code: a new one for \
      each show, unless --remote-code sets it. The page uses HTTP: use it in networks you trust only.

      --moves logs all moves to a file, and --replay performs such a file: a line for each move, with the \
      time in seconds since the first frame, such as `12.5 set depth 90`. Each show begins with a line that says \
      when; --replay performs the last one, unless --replay-show says which. The moves are:

      \(moveList)

      Examples:

        slitscan live
        slitscan live clip.mp4 --preset Vortex --output v4l2:/dev/video10
        slitscan live pattern:demo --set map=radial --moves show.txt
        slitscan live --resume

      Default options can be kept in a configuration file, see `slitscan --help`.

      Exit codes: 0 the show is over; 1 it cannot begin, the recording could not be completed at its end, or \
      not everything could be closed; 64 the command line makes no sense.
      """)

  /// The list of moves: the forms of each, and below them its effect.
  private static let moveList = Move.descriptions.map { move in
    (move.forms.map { "  \($0)" } + ["      \(move.summary)"]).joined(separator: "\n")
  }.joined(separator: "\n")

  @Argument(
    help: ArgumentHelp(
      "Sources of the video. (default: the first camera)", valueName: "source"))
  var sources: [String] = []

  @Option(
    name: .customLong("output"), help: "Destination of the video; repeatable. (default: window)")
  var outputs: [String] = []

  @OptionGroup var presetOptions: PresetOptions

  @Option(
    help: ArgumentHelp(
      "Frame size of a camera, a pattern, several sources or a playlist.", valueName: "WxH"))
  var size: String?

  @Option(
    help: ArgumentHelp(
      "Frame rate of these, in frames per second.", valueName: "number"))
  var fps: Int32?

  @Option(
    help: ArgumentHelp(
      "Sound for recordings and for properties that follow it: none, the system's input, the clip's, "
        + "or a test tone.", valueName: "none|auto|source|tone"))
  var sound = SoundChoice.none

  @Option(
    help: ArgumentHelp(
      "What is shown while a source is gone: its last frame, or a pattern of videotestsrc, such as black.",
      valueName: "last|pattern"))
  var fallback = CaptureStage.lastFrame

  @Option(
    help: ArgumentHelp(
      "Length of the past that all looks read from and none empties, such as 30s or 10m. (default: "
        + "\(Int(HistoryReserve.standardTime.seconds))s, but at most half of max-memory)",
      valueName: "time"))
  var reserve: ClockTime?

  @OptionGroup var historyOptions: HistoryOptions

  @Option(
    help: ArgumentHelp(
      "Run the effect on the GPU: on, off, or auto for where there is one. `slitscan devices` says which.",
      valueName: "auto|on|off"))
  var gpu = GPUUse.auto

  @Option(
    help: ArgumentHelp(
      "How many cameras may become further sources when they are connected.", valueName: "number"))
  var hotplug = 0

  @OptionGroup var tempo: TempoOptions

  @Flag(help: "Share the tempo with other programs in the network, by Ableton Link.")
  var link = false

  @Flag(help: "Have the tempo follow the sound, until somebody sets it; needs --sound.")
  var followSound = false

  @Option(help: "Folder for stills and recordings.")
  var folder = "."

  @Option(
    help: ArgumentHelp(
      "Folder of PNG, JPEG or PGM images for the map image: keys y and Y, moves next-map, previous-map and "
        + "map-image.", valueName: "folder"))
  var maps: String?

  @Option(
    help: ArgumentHelp("Log all moves to a file; one that exists is continued.", valueName: "file"))
  var moves: String?

  @OptionGroup var replayOptions: ReplayOptions

  @Flag(
    help: """
      Start the last show again, as it was when it ended or crashed: its sources and options, preset, values, decks, \
      tempo. Stands alone.
      """)
  var resume = false

  @Option(help: ArgumentHelp("Receive OSC on a UDP port.", valueName: "port"))
  var osc: UInt16?

  @Option(
    help: ArgumentHelp(
      "Address of the network interface on which OSC is received; 0.0.0.0 for all.",
      valueName: "address"))
  var oscBind = OSCInput.standardHost

  @Option(
    name: .customLong("midi"),
    help: ArgumentHelp(
      "Receive MIDI from alsa or jack, with :NAME from some devices only, or from a device node or "
        + "FIFO; repeatable.",
      valueName: "source"))
  var midi: [String] = []

  @Flag(
    inversion: .prefixedNo,
    help: "Send MIDI devices what their faders, rings and lights should show.")
  var midiFeedback = true

  @Flag(help: "Serve a web page with all controls.")
  var remote = false

  @Option(
    help: ArgumentHelp(
      "Address on which the page is served; 0.0.0.0 for all networks.",
      valueName: "address"))
  var remoteBind = "127.0.0.1"

  @Option(help: ArgumentHelp("Port of the page; 0 for any free port.", valueName: "port"))
  var remotePort = Remote.standardPort

  @Option(
    help: ArgumentHelp(
      "Pairing code of the page. (default: a new one for each show)",
      valueName: "six digits"))
  var remoteCode: String?

  @Option(
    help: ArgumentHelp(
      "End the show this long after its first frame, such as 90s or 2min.", valueName: "time"))
  var duration: ClockTime?

  enum SoundChoice: String, ExpressibleByArgument, CaseIterable {
    case none, auto, source, tone
  }

  func validate() throws {
    let source = LiveSource(sources.first)
    if !(0...16).contains(hotplug) {
      throw ValidationError("--hotplug must be from 0 to 16, not \(hotplug).")
    }
    if sound == .source, sources.count > 1 || hotplug > 0 {
      throw ValidationError("--sound source needs one source only. Use --sound auto.")
    }
    if sound == .source, source.clipPath == nil {
      throw ValidationError(
        "--sound source needs a clip, and \(source.description) is not one. Use --sound auto for the "
          + "microphone.")
    }
    if followSound, sound == .none {
      throw ValidationError("--follow-sound needs a sound, such as --sound auto.")
    }
    if duration == .zero { throw ValidationError("--duration must be longer than 0s.") }
    if let remoteCode, !Remote.isCode(remoteCode) {
      throw ValidationError("--remote-code must be six digits, not \"\(remoteCode)\".")
    }
    if reserve != nil, presetOptions.scan().properties["reserve"] != nil {
      throw ValidationError("--reserve and --set reserve say the same. Use one of them.")
    }
    _ = try request()
    do {
      try Scan(presetOptions.scan().properties).validate()
      for output in outputs { _ = try Output(output) }
    } catch let error as CaptureError {
      throw ValidationError(error.message)
    } catch let error as StageError {
      throw ValidationError(error.message)
    }
  }

  func run() async throws {
    let clock = ContinuousClock()
    guard resume else {
      let words = Array(try EntryPoint.words().dropFirst())
      let folder = FileManager.default.currentDirectoryPath
      return try await run(LastShow(arguments: words, folder: folder), on: clock)
    }
    let last = try LastShow(file: LastShow.path())
    guard FileManager.default.changeCurrentDirectoryPath(last.folder) else {
      throw CommandError("The folder of the last show, \(last.folder), is gone.")
    }
    let typed = [Self._commandName] + last.arguments
    let command = try EntryPoint.parse(typed, environment: ProcessInfo.processInfo.environment)
    guard let live = command as? Live else { throw CommandError("The last show was none.") }
    try await live.run(last, on: clock)
  }

  /// The look that a show begins with, unless another is asked for: one that cannot be overlooked.
  private static let firstPreset = "Vortex"

  /// The moves that are performed by themselves.
  private func script() throws -> MoveScript? {
    if let script = try replayOptions.script() { return script }
    guard presetOptions.preset == nil, presetOptions.properties.isEmpty else { return nil }
    var script = MoveScript()
    script.append(MoveScript.Entry(.zero, .preset(Self.firstPreset, beats: nil)))
    return script
  }

  /// - Parameter beginning: How the show was started; with moves where it goes on.
  private func run(_ beginning: LastShow, on clock: any SteadyClock) async throws {
    let script = try script()?.rest(after: beginning.time)
    let show = try await makeShow()
    let log = try moves.map { try MoveLog(of: show.performance, to: $0) }
    // What is told from here on is printed once all is open.
    let changes = show.performance.changes
    let osc = osc.map { OSCInput(show.performance, port: $0, bind: oscBind) }
    let midi =
      midi.isEmpty
      ? nil
      : MIDIInput(
        show.performance, sources: midi.map { MIDISource($0) }, sendsFeedback: midiFeedback)
    let remote =
      self.remote
      ? Remote(
        show.performance, feed: .frames(of: show.capture), bind: remoteBind, port: remotePort,
        code: remoteCode) : nil
    try await osc?.start()
    if let address = try await remote?.start() { await tell(address, in: show) }
    if let midi { try await start(midi, on: clock) }
    let session = link ? try await LinkSession(show.performance, on: clock) : nil
    // Only now, so that Ctrl-C ends the program while it still waits for an input.
    let console = Console(consume changes)
    let signals = Signals(pauses: console.pauses) { _ in show.end() }
    let writing = Task { () -> StageError? in
      do throws(StageError) {
        try await log?.run()
        return nil
      } catch {
        show.performance.tell(.warning(error.message))
        return error
      }
    }
    let resuming = Task {
      try await show.performance.play(beginning.script)
      await LastShow.follow(show.performance, from: beginning, to: LastShow.path(), on: clock)
    }
    let helpers = [
      Task { if let script { try await show.performance.play(script) } },
      Task { await session?.run() },
      Task {
        if followSound { await show.performance.play(.followSound(.on)) }
        await BeatSession(show.performance, show.capture, on: clock).run()
      },
    ]
    let ending = Task { () -> StageError? in
      guard let duration else { return nil }
      let length = ShowLength(
        .nanoseconds(Int64(clamping: duration.nanoseconds)), on: clock)
      guard let isOver = try? await length.wait({ await show.capture.time > .zero }) else {
        return nil
      }
      show.end()
      return isOver ? nil : StageError(.noVideo, "The source is open, but has sent no frame.")
    }
    var failure: StageError?
    do throws(StageError) {
      try await show.run(keys: console.keys, room: { console.room }, draw: { console.draw($0) })
    } catch {
      failure = error
    }
    // Whatever does not end from here on, the terminal is as it was, and signals end the program.
    console.restore()
    signals.stop()
    helpers.forEach { $0.cancel() }
    resuming.cancel()
    ending.cancel()
    // What an input waits for may be what does not answer.
    if failure?.code != .stuck {
      await osc?.stop()
      await remote?.stop()
      await midi?.stop()
      _ = await resuming.result
    }
    // The last changes are written, too.
    writing.cancel()
    let loss = await writing.value
    await console.finish(with: show.lastChanges)
    let silence = await ending.value
    if let failure = failure ?? silence ?? loss { throw failure }
    let status = await show.screen.capture
    print(
      "\(status.frames) frames in \(ProgressMeter.clock(status.time.seconds)), "
        + "\(status.dropped) dropped")
  }

  private func tell(_ address: Remote.Address, in show: Show) async {
    let line =
      "phones  \(address.urls.joined(separator: "  "))"
      + (address.code.map { "  code \($0)" } ?? "")
    await show.note(line)
    show.performance.tell(.notice(line))
  }

  private func start(
    _ midi: MIDIInput, on clock: any SteadyClock
  ) async throws(StageError) {
    let names = self.midi.joined(separator: ", ")
    let patience = Task {
      try await Deadline(in: .seconds(3), on: clock).wait()
      complain("MIDI from \(names) does not answer yet. Wait, or press Ctrl-C.")
    }
    defer { patience.cancel() }
    try await midi.start()
  }

  // MARK: What was asked for

  private func makeShow() async throws -> Show {
    let live = LiveSource(sources.first)
    let others = sources.dropFirst().map { LiveSource($0) }
    guard FileManager.default.isWritableFile(atPath: folder), folder.isFolder else {
      throw CommandError("--folder \(folder): the folder does not exist or is not writable.")
    }
    let maps = try maps.map { try MapFolder($0) }
    let outputs = try (self.outputs.isEmpty ? ["window"] : self.outputs).map { try Output($0) }
    let request = try request()
    let sound: LiveSound? =
      switch self.sound {
      case .none: nil
      case .auto: .microphone
      case .tone: .tone
      case .source: .clip
      }
    let scan = try historyOptions.locate(presetOptions.scan())
    let reserve =
      reserve.map { HistoryReserve.time($0) }
      ?? (scan.properties["reserve"] == nil ? .standard : .property)
    let stage = try CaptureStage(
      live, and: others, sound: sound, request, outputs: outputs, scan: scan, fallback: fallback,
      reserve: reserve, gpu: gpu, hotplug: hotplug, windows: settingsFolder() + "/windows")
    return await Show(
      stage, source: stage.sources.isEmpty ? live.name : "1 \(live.name)",
      preset: presetOptions.unchangedPreset, folder: folder, maps: maps,
      tempo: Tempo(tempo.bpm))
  }

  private func request() throws -> VideoRequest {
    var request = VideoRequest()
    if let size {
      let parts = size.split(separator: "x").map { Int($0) }
      guard parts.count == 2, let width = parts[0], let height = parts[1],
        (1...32768).contains(width), (1...32768).contains(height)
      else {
        throw ValidationError("--size must be WIDTHxHEIGHT, such as 1280x720, not \"\(size)\".")
      }
      (request.width, request.height) = (width, height)
    }
    if let fps {
      guard (1...1000).contains(fps) else {
        throw ValidationError("--fps must be from 1 to 1000, not \(fps).")
      }
      request.frameRate = Fraction(fps)
    }
    return request
  }
}
