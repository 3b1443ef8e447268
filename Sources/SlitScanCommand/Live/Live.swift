// The command `slitscan live` plays a live show.

import ArgumentParser
import Foundation
import GStreamer
import SlitScanCapture
import SlitScanRemote
import SlitScanStage

struct Live: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play a camera, a film or a stream through the effect, live.",
    discussion: """
      SOURCE is a camera (/dev/video0; nothing for the first there is), a film, which begins again at \
      its end, pattern:NAME (pattern:ball), or a URL. A camera that is pulled out is replaced until it \
      is back.

      Keys work in the terminal and in the window; ? shows them. --output says where the pictures go, \
      as often as you like:

        window                 a window (the default); F11, F or a double click makes it full screen
        fullscreen             a full screen
        fullscreen:2           on the second display; also window:2, or a name, as `slitscan devices` \
      lists them
        pipewire               a camera for other programs of the desktop (PipeWire 1.0)
        v4l2:/dev/video10      a camera for every program, through v4l2loopback
        srt://:7001            a stream for others to fetch
        rtp://host:5004        H.264 in RTP
        shm:/tmp/slitscan      raw pictures in shared memory
        sink:ELEMENTS          whatever GStreamer has, as in a launch line

      --osc takes OSC, as /slitscan/gain 2.5; `slitscan osc` lists the addresses. Other machines, with \
      --osc-bind, and phones can set a property as far as its fader goes or as the show began, and name no \
      files. --midi takes MIDI: pick a knob, press m, and move a control.

      --remote serves a page with the picture and all faders to browsers on this machine, and with \
      --remote-bind 0.0.0.0 to phones in its networks, which then have to give a code: a new one with \
      each show, unless --remote-code gives it. The page comes over HTTP: use it in networks you trust.

      --moves writes down what is done, and --replay plays it again: a line for each move, with the \
      seconds since the first picture, as `12.5 set depth 90`. The moves are:

      \(Move.forms.map { "  " + $0 }.joined(separator: "\n"))

      Examples:

        slitscan live
        slitscan live film.mp4 --preset "Photo Finish" --output window --output v4l2:/dev/video10
        slitscan live pattern:ball --set map=radial --set depth=60 --moves show.txt

      What is always the same can be in a file, see `slitscan --help`.

      Exit codes: 0 the show is over; 1 it cannot begin; 64 the command line makes no sense.
      """)

  @Argument(help: "Where pictures come from.")
  var source: String?

  @Option(name: .customLong("output"), help: "Where pictures go. (default: window)")
  var outputs: [String] = []

  @OptionGroup var look: LookOptions

  @Option(help: ArgumentHelp("Size of the pictures of a camera or pattern.", valueName: "WxH"))
  var size: String?

  @Option(help: ArgumentHelp("Frames a second of a camera or pattern.", valueName: "number"))
  var fps: Int32?

  @Option(
    help: ArgumentHelp(
      "Sound for recordings, and for properties that follow it: none, the system's, the film's, or a "
        + "tone to try with.", valueName: "none|auto|source|tone"))
  var sound = SoundChoice.none

  @Option(help: "What to show while a camera is gone: one of videotestsrc's patterns.")
  var fallback = "black"

  @OptionGroup var tempo: TempoOptions

  @Option(help: "The folder for stills and recordings.")
  var folder = "."

  @Option(help: ArgumentHelp("Write what is done to a file.", valueName: "file"))
  var moves: String?

  @Option(help: ArgumentHelp("Do what a file says.", valueName: "file"))
  var replay: String?

  @Option(help: ArgumentHelp("Take OSC at a port.", valueName: "port"))
  var osc: UInt16?

  @Option(
    help: ArgumentHelp(
      "Where OSC may come from: the address of a network's interface, 0.0.0.0 for all of them.",
      valueName: "address"))
  var oscBind = OSCInput.standardHost

  @Option(
    name: .customLong("midi"),
    help: ArgumentHelp(
      "Take MIDI: alsa, jack, either with :NAME for some devices, or a device node or FIFO.",
      valueName: "source"))
  var midi: [String] = []

  @Flag(help: "Serve a page to play from.")
  var remote = false

  @Option(
    help: ArgumentHelp(
      "The address that the page is served at; 0.0.0.0 for every network there is.",
      valueName: "address"))
  var remoteBind = "127.0.0.1"

  @Option(help: ArgumentHelp("The port of the page, 0 for any that is free.", valueName: "port"))
  var remotePort = Remote.standardPort

  @Option(
    help: ArgumentHelp(
      "The pairing code of the page, so that it is the same in each show.",
      valueName: "six digits"))
  var remoteCode: String?

  @Option(help: ArgumentHelp("End the show after some time.", valueName: "seconds"))
  var duration: Double?

  enum SoundChoice: String, ExpressibleByArgument, CaseIterable {
    case none, auto, source, tone
  }

  func validate() throws {
    let source = LiveSource(source)
    if sound == .source, source.filmPath == nil {
      throw ValidationError(
        "--sound source is that of a film, and \(source.description) is none. --sound auto is that of a "
          + "microphone.")
    }
    if let duration, !(duration > 0 && duration < 1e9) {
      throw ValidationError("--duration is a number of seconds.")
    }
    if let remoteCode, !Remote.isCode(remoteCode) {
      throw ValidationError("--remote-code must be six digits, not \"\(remoteCode)\".")
    }
    _ = try request()
    for output in outputs { _ = try checked { () throws(StageError) in try Output(output) } }
  }

  func run() async throws {
    let script = try replay.map { path in
      try command { () throws(StageError) in try MoveScript(file: path) }
    }
    let show = try await makeShow()
    let log = try moves.map { path in
      try command { () throws(StageError) in try MoveLog(of: show.performance, to: path) }
    }
    let console = Console(show.performance)
    let osc = osc.map { OSCInput(show.performance, port: $0, bind: oscBind) }
    let midi =
      midi.isEmpty ? nil : MIDIInput(show.performance, sources: midi.map { MIDISource($0) })
    let remote =
      self.remote
      ? Remote(
        show.performance, feed: .frames(of: show.capture), bind: remoteBind, port: remotePort,
        code: remoteCode) : nil
    do throws(StageError) {
      try await osc?.start()
      if let address = try await remote?.start() { await tell(address, in: show) }
    } catch {
      console.stop()
      throw CommandError(error.message)
    }
    do throws(StageError) {
      if let midi { try await start(midi, in: show) }
    } catch {
      console.stop()
      throw CommandError(error.message)
    }
    let writing = Task {
      do {
        try await log?.run()
      } catch {
        show.performance.tell(.trouble("\(error)"))
      }
    }
    let helpers = [
      Task { if let script { try await show.performance.play(script) } },
      Task {
        guard let duration, (try? await Task.sleep(for: .seconds(duration))) != nil else { return }
        show.end()
      },
    ]
    let signals = Signals(pauses: console.pauses) { show.end() }
    defer {
      helpers.forEach { $0.cancel() }
      signals.stop()
    }
    var failure: StageError?
    do throws(StageError) {
      try await show.run(keys: console.keys, room: { console.room }, draw: { console.draw($0) })
    } catch {
      failure = error
    }
    await osc?.stop()
    await remote?.stop()
    await midi?.stop()
    // What was done last is written, too.
    writing.cancel()
    await writing.value
    console.stop()
    if let failure { throw CommandError(failure.message) }
    let status = await show.screen.capture
    print(
      "\(status.frames) pictures in \(ProgressMeter.clock(status.time.seconds)), "
        + "\(status.dropped) dropped")
  }

  private func tell(_ address: Remote.Address, in show: Show) async {
    let line =
      "phones  \(address.urls.joined(separator: "  "))"
      + (address.code.map { "  code \($0)" } ?? "")
    await show.note(line)
    show.performance.tell(.notice(line))
  }

  private func start(_ midi: MIDIInput, in show: Show) async throws(StageError) {
    await show.setLearn { property in
      do throws(StageError) {
        try await midi.learn(property)
      } catch {
        show.performance.tell(.trouble(error.message))
      }
    }
    try await midi.start()
  }

  // MARK: What was asked for

  private func makeShow() async throws -> Show {
    let live = LiveSource(source)
    guard FileManager.default.isWritableFile(atPath: folder), isDirectory(folder) else {
      throw CommandError("--folder \(folder): no such folder, or it cannot be written to.")
    }
    let outputs = try (self.outputs.isEmpty ? ["window"] : self.outputs).map { word in
      try command { () throws(StageError) in try Output(word) }
    }
    let request = try request()
    let sound: LiveSound? =
      switch self.sound {
      case .none: nil
      case .auto: .other(MicrophoneSource())
      case .tone: .other(TestToneSource())
      case .source: .clip
      }
    let fallback = fallback
    let stage = try command { () throws(StageError) in
      try CaptureStage(
        live, sound: sound, request, outputs: outputs, scan: look.scan(), fallback: fallback)
    }
    return await Show(
      stage, source: live.description, preset: look.unchangedPreset, folder: folder,
      tempo: Tempo(tempo.bpm))
  }

  private func isDirectory(_ path: String) -> Bool {
    (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
  }

  private func request() throws -> VideoRequest {
    var request = VideoRequest()
    if let size {
      let parts = size.split(separator: "x").map { Int($0) }
      guard parts.count == 2, let width = parts[0], let height = parts[1],
        (1...32768).contains(width), (1...32768).contains(height)
      else { throw ValidationError("--size is a width and a height, as 1280x720.") }
      (request.width, request.height) = (width, height)
    }
    if let fps {
      guard (1...1000).contains(fps) else { throw ValidationError("--fps is from 1 to 1000.") }
      request.frameRate = Fraction(fps)
    }
    return request
  }

  /// What is wrong with the command line.
  private func checked<Result>(_ body: () throws(StageError) -> Result) throws -> Result {
    do throws(StageError) {
      return try body()
    } catch {
      throw ValidationError(error.message)
    }
  }

  /// What does not work.
  private func command<Result>(_ body: () throws(StageError) -> Result) throws -> Result {
    do throws(StageError) {
      return try body()
    } catch {
      throw CommandError(error.message)
    }
  }
}
