// Tests of `slitscan live`, run as a performer runs it. Live: shows play in real time.

import CommandUnderTest
import Foundation
import TemporaryFolder
import Testing

@Suite(.serialized, .enabled(if: Command.isPrepared)) struct LiveTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }
  private let live = "\(Command.slitscan) live"
  private let presets = ["GST_PRESET_PATH": Command.root.appending(path: "gst/presets").path]

  @Test func aShowThatIsWrittenDownIsPlayedRecordedAndWrittenDownAgain() async throws {
    let show = """
      0.2 set map radial
      0.4 drive angle saw 4 0 360
      0.6 preset Vortex 1
      0.8 record on take.mkv
      1.0 snapshot still.png
      1.2 blackout on
      1.4 blackout off
      4.0 record off
      4.1 set depth deep
      4.2 undo
      """
    try Data(show.utf8).write(to: folder.appending(path: "show.txt"))
    // The show ends when everything has been done.
    let result = try await Command.play(
      "pattern:ball --size 320x240 --replay show.txt --moves moves.txt --output sink:fakesink",
      until: "grep -q undo moves.txt && grep -q '^recorded' said.txt "
        + "&& grep -q '^still' said.txt", in: folder, environment: presets)
    for line in [
      "map radial", "drive angle saw 4.0 0.0 360.0", "preset Vortex", "recording take.mkv",
      "still still.png", "black", "video", "recorded take.mkv",
      "! depth must be a whole number from 1 to 1000000, not deep",
      " dropped",
    ] {
      #expect(result.text.contains(line), "\(line) in \(result.text)")
    }
    let moves = try String(contentsOf: folder.appending(path: "moves.txt"), encoding: .utf8)
    #expect(moves.contains("drive angle saw 4.0 0.0 360.0"))
    #expect(!moves.contains("deep"))
    let frames = try await Command.run(
      "ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 take.mkv; "
        + "identify -format '%w %h' still.png", in: folder)
    #expect(frames.text.contains("320 240"), "\(frames.text)")
    #expect((frames.text.split(separator: "\n").first.flatMap { Int($0) } ?? 0) > 5)
  }

  /// An image, and clips of one frame and of a few: all come to their ends at once, again and again.
  @Test(arguments: ["image.png", "1.mkv", "3.mkv"])
  func aClipOfFewFramesPlaysOn(name: String) async throws {
    let clip = Command.root.appending(path: "examples/footage/bigbuckbunny.mp4").path
    _ = try await Command.run(
      "convert -size 64x48 xc:red image.png && for n in 1 3; do "
        + "ffmpeg -v error -i \(clip) -frames:v $n -an $n.mkv; done", in: folder)
    try Data("2 snapshot still.png\n".utf8).write(to: folder.appending(path: "show.txt"))
    let result = try await Command.play(
      "\(name) --replay show.txt --output sink:fakesink", until: "[ -s still.png ]", in: folder)
    #expect(!result.text.contains("CRITICAL"), "\(result.text)")
  }

  @Test func aRecordingIsCompletedAtTheEndAndItsFailureIsThatOfTheShow() async throws {
    try Data("0.2 record on take.mkv\n".utf8).write(to: folder.appending(path: "show.txt"))
    let options = "--size 64x48 --output sink:fakesink --replay show.txt"
    let result = try await Command.play(
      "pattern:ball \(options)", until: "[ -s take.mkv ]", in: folder)
    #expect(result.text.contains("\nrecorded take.mkv\n"), "\(result.text)")
    // The second frame comes after an hour, and the end of the first one is then.
    try Data("1800 record on none.mkv\n".utf8).write(to: folder.appending(path: "show.txt"))
    let failed = try await Command.play(
      script: """
        ffmpeg -v error -f lavfi -i testsrc=s=64x48:r=1/3600 -frames:v 2 -c:v mjpeg hour.avi
        \(live) hour.avi \(options) >said.txt 2>&1 & show=$!
        says 'recording none.mkv'; end
        """, in: folder)
    #expect(failed.text.contains("ended with 1"), "\(failed.text)")
    #expect(failed.text.contains("nothing was recorded in none.mkv"), "\(failed.text)")
  }

  @Test func aShowLastsFromItsFirstFrameAndASourceThatSendsNoneIsAnError() async throws {
    let result = try await Command.play(
      script: """
        address=udp://127.0.0.1:$(free_port)
        show() { \(live) $address --output sink:fakesink --duration 1; }
        show; echo "ended with $?"
        { sleep 3; exec ffmpeg -v error -re -f lavfi -i testsrc=size=64x48:rate=30 -c:v libx264 -g 10 \
          -tune zerolatency -f mpegts "$address?pkt_size=1316"; } & sender=$!
        show; status=$?
        kill $sender
        exit $status
        """, in: folder)
    #expect(result.text.contains("has sent no frame"), "\(result.text)")
    #expect(result.text.contains("\nended with 1\n"), "\(result.text)")
    #expect(result.text.contains(/\n[1-9]\d* frames in 0:/), "\(result.text)")
  }

  @Test func theTempoFollowsTheMusicAndNeedsSome() async throws {
    // A drum at 100 beats a minute; the show begins with 120.
    let drum = "0.8*sin(2*PI*60*mod(t,0.6))*exp(-mod(t,0.6)*18)"
    let result = try await Command.play(
      script: """
        ffmpeg -v error -f lavfi -i testsrc=size=64x48:rate=30:duration=20 \
          -f lavfi -i "aevalsrc='\(drum)':s=44100:d=20" -c:v libx264 -c:a aac drum.mp4
        \(live) drum.mp4 --sound source --follow-sound --output sink:fakesink >said.txt & show=$!
        says '^tempo (99|100)\\.'; end
        """, in: folder)
    #expect(result.text.contains("ended with 0"), "\(result.text)")
    #expect(result.text.contains("follow-sound on"), "\(result.text)")
    #expect(result.text.contains(/\ntempo (99|100)\./), "\(result.text)")
    let silent = try await Command.run(
      "\(live) pattern:ball --follow-sound --output sink:fakesink", status: 64)
    #expect(silent.text.contains("--sound"), "\(silent.text)")
  }

  @Test func twoShowsShareTheirTempoByLink() async throws {
    try Data("1 blackout on\n".utf8).write(to: folder.appending(path: "show.txt"))
    let options = "pattern:ball --size 64x48 --link --output sink:fakesink --moves"
    let script = """
      port=$(free_port)
      \(live) \(options) first.txt --bpm 100 --replay show.txt >said.txt 2>&1 & first=$! show=$!
      # It has begun for a second: the older session is the one that both join.
      says '^black'
      \(live) \(options) second.txt --bpm 140 --osc $port >said-2.txt 2>&1 & second=$! show="$first $!"
      until_true "grep -q '^tempo 100' said-2.txt"
      oscsend 127.0.0.1 $port /slitscan/tempo f 133.5
      says '^tempo 133.5'
      # Time for moves that there should not be.
      sleep 3
      kill -INT $second; wait $second || { echo "the second ended with $?"; cat said-2.txt; }
      kill -INT $first; wait $first
      """
    let result = try await Command.play(script: script, in: folder)
    #expect(!result.text.contains("ended with"), "\(result.text)")
    let tempos = try ["first.txt", "second.txt"].map { name in
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        .split(separator: "\n").filter { $0.contains(" tempo ") }
        .map { String($0.split(separator: " ")[2]) }
    }
    // The second has the tempo and the beat of the first, and each stays with the other.
    let changes = tempos.map { list in
      list.enumerated().filter { $0.offset == 0 || list[$0.offset - 1] != $0.element }
        .map(\.element)
    }
    #expect(changes == [["133.5"], ["100.0", "133.5"]])
    // On a busy machine it may take more than one move to get there. A beat that they do not share is a move
    // every time, fifty in a second.
    #expect(tempos.allSatisfy { $0.count < 20 }, "\(tempos)")
  }

  @Test func aPresetThatIsSavedIsThereForEveryProgram() async throws {
    let show = """
      0.1 set mode strip canvas-length 123 angle 90
      0.2 drive position sine 4 0 1
      0.3 save "Long Canvas"
      0.4 save Vortex
      """
    try Data(show.utf8).write(to: folder.appending(path: "show.txt"))
    let home = ["HOME": folder.path, "XDG_DATA_HOME": folder.appending(path: "data").path]
    let options = "pattern:ball --size 64x48 --output sink:fakesink --replay show.txt"
    let saved = try await Command.play(
      options, until: "grep -q '^! Vortex' said.txt", in: folder, environment: home)
    let used = try await Command.run(
      "\(Command.slitscan) presets 'long canvas' && "
        + "gst-launch-1.0 -v videotestsrc num-buffers=2 ! slitscan @preset='Long Canvas' ! fakesink",
      in: folder, environment: home)
    try Data("0.1 preset \"long canvas\"\n".utf8).write(to: folder.appending(path: "show.txt"))
    let loaded = try await Command.play(
      options, until: "grep -q '^preset' said.txt && grep -q '^drive position' said.txt",
      in: folder, environment: home)
    let text = saved.text + used.text + loaded.text
    for line in [
      "! Vortex was not saved by a show, and stays as it is.",
      "width=(int)123", "canvas-length", "preset Long Canvas\n",
    ] { #expect(text.contains(line), "\(line) in \(text)") }
    #expect(text.contains(/Saved as preset \d+, Long Canvas/), "\(text)")
    // Once where it was begun, and once where the preset has brought it back.
    #expect(
      text.split(separator: "\n").count { $0 == "drive position sine 4.0 0.0 1.0" } == 2,
      "\(text)")
  }

  @Test func aCameraThatIsPulledOutIsReportedAndReplaced() async throws {
    let result = try await Command.play(
      "/dev/video0 --fallback smpte --output 'sink:fakesink silent=false name=seen'",
      until: "grep -q 'the camera /dev/video0 is back' said.txt", in: folder,
      environment: [
        "LD_PRELOAD": Command.camera ?? "", "SIMULATED_CAMERA_UNPLUG_AFTER": "30",
        "SIMULATED_CAMERA_REPLUG_AFTER": "1",
      ])
    #expect(result.text.contains("The pattern smpte is shown until it is back."), "\(result.text)")
    #expect(result.text.contains("the camera /dev/video0 is back."), "\(result.text)")
  }

  @Test func aCameraThatIsConnectedBecomesASourceAndKeepsItsNumber() async throws {
    // A camera that is there twice. The show looks for cameras when its frames flow.
    let script = """
      node='{ factory.name=videotestsrc node.name=guest node.description="A Guest" media.class=Video/Source }'
      mkfifo orders
      plug() {
        pw-cli <orders >/dev/null 2>&1 & guest=$!
        exec 5>orders
        echo "create-node spa-node-factory $node" >&5
      }
      unplug() { kill -KILL $guest; wait $guest 2>/dev/null; exec 5>&-; }
      give_up() { echo "never: $1"; cat said.txt; kill -KILL $show $guest; exit 1; }
      echo '3 blackout on' >show.txt
      \(live) pattern:ball pattern:smpte --size 64x48 --hotplug 2 --output sink:fakesink \
        --replay show.txt >said.txt 2>&1 & show=$!
      says '^black'
      plug; says '^source 3: A Guest'
      # It plays.
      until_true 'pw-cli info guest | grep running'
      unplug; says '^! Source 3: '
      plug; says 'Source 3: A Guest is back'
      end
      unplug
      """
    let result = try await Command.play(
      script: script, in: folder, under: "PipeWireCamera/with-camera.sh")
    for line in [
      "ended with 0\n", "source 3: A Guest\n", "! Source 3: ", "Source 3: A Guest is back.\n",
    ] { #expect(result.text.contains(line), "\(line) in \(result.text)") }
    // The one that was there from the beginning is none.
    #expect(!result.text.contains("source 4"), "\(result.text)")
  }

  @Test func aClipBeginsAgainAtItsEndAndTimeGoesOn() async throws {
    try await makeSecond(in: folder)
    try Data("3.5 set depth 7\n".utf8).write(to: folder.appending(path: "show.txt"))
    let result = try await Command.play(
      "second.mkv --output sink:fakesink --replay show.txt",
      until: "grep -q '^depth 7' said.txt", in: folder)
    // The clip is a second long.
    #expect(result.text.contains("depth 7"), "\(result.text)")
  }

  /// A clip of a second, whose frames get brighter from one to the next, with a tone.
  private func makeSecond(in folder: URL) async throws {
    try await Command.run(
      "ffmpeg -v error -f lavfi -i \"color=s=64x48:r=20:d=1,format=gray,geq=lum='16+11*N'\" "
        + "-f lavfi -i sine=d=1 -c:v mjpeg -q:v 2 -c:a pcm_s16le second.mkv", in: folder)
  }

  @Test func aWindowGoesOnMovingWhenItsClipBeginsAgain() async throws {
    let script = """
      gst-launch-1.0 -q videotestsrc pattern=ball num-buffers=20 \
        ! video/x-raw,width=320,height=240,framerate=20/1 ! jpegenc ! avimux \
        ! filesink location=ball.avi
      \(live) ball.avi > said.txt 2>&1 & show=$!
      until_true "xdotool search --onlyvisible --name '^slitscan 1: window$'"
      # Ten looks at the screen, each other than the one before: more than three seconds of a clip that
      # is one second long.
      import -window root before.ppm
      for look in $(seq 10); do
        sleep 0.4
        for i in $(seq 100); do
          import -window root now.ppm
          cmp -s before.ppm now.ppm || break
          sleep 0.1
        done
        cmp -s before.ppm now.ppm && { echo "look $look: nothing moves"; break; }
        mv now.ppm before.ppm
      done
      end
      """
    let result = try await Command.play(
      script: script, in: folder, under: "with-display.sh", environment: ["SCREEN": "640x480"])
    #expect(!result.text.contains("nothing moves"), "\(result.text)")
    #expect(result.text.contains("ended with 0"), "\(result.text)")
  }

  @Test(arguments: ["before", "after"])
  func aWindowSystemThatStopsAnsweringHoldsUpTheEndOfNoShow(opening: String) async throws {
    let script = """
      server=$DISPLAY_SERVER
      trap 'kill -CONT $server' EXIT
      port=$(free_port)
      echo '0.1 record on take.mkv' > show.txt
      [ \(opening) = after ] || kill -STOP $server
      \(live) pattern:ball --size 320x240 --fps 30 --replay show.txt --osc $port > said.txt 2>&1 & show=$!
      if [ \(opening) = after ]; then
        until_true 'xdotool search --onlyvisible --name "^slitscan 1: window$"'
        kill -STOP $server
      fi
      # Frames flow, and what waits for the window system goes on waiting.
      until_true '[ -s take.mkv ]'
      size=$(stat -c %s take.mkv)
      until_true '[ $(stat -c %s take.mkv) -gt $((size + 20000)) ]'
      kill -TERM $show
      # What others play waits for the window system, too.
      until_true 'oscsend 127.0.0.1 $port /slitscan/preset s Vortex; ! kill -0 $show'
      wait $show; echo "ended with $?"; cat said.txt
      ffprobe -v error -count_frames -show_entries stream=nb_read_frames:format=duration \
        -of default=nw=1 take.mkv
      """
    let result = try await Command.play(
      script: script, in: folder, under: "with-display.sh",
      environment: presets.merging(["SCREEN": "640x480"]) { $1 })
    #expect(result.text.contains("ended with 1"), "\(result.text)")
    #expect(result.text.contains("the window system does not answer"), "\(result.text)")
    let frames = result.text.firstMatch(of: /nb_read_frames=(\d+)/).flatMap { Int($0.output.1) }
    #expect(frames ?? 0 > 30, "\(result.text)")
    // Written when the file is complete.
    #expect(result.text.contains(/duration=[0-9.]*[1-9]/), "\(result.text)")
  }

  @Test func historyGoesOnWhenAClipBeginsAgain() async throws {
    try await makeSecond(in: folder)
    let sink =
      "videoconvert ! video/x-raw,format=GRAY8 ! filesink buffer-mode=2 location=frames.gray"
    try await Command.play(
      "second.mkv --set depth=10 --output 'sink:\(sink)'",
      until: "[ \"$(stat -c %s frames.gray)\" -ge $((64 * 48 * 70)) ]", in: folder)
    let bytes = try Data(contentsOf: folder.appending(path: "frames.gray"))
    let size = 64 * 48
    #expect(bytes.count >= 70 * size)
    for start in stride(from: 20 * size, to: bytes.count - size + 1, by: size) {
      // The first row shows the newest frame, the last one the oldest: nine frames before.
      let (newest, oldest) = (Int(bytes[start]), Int(bytes[start + size - 1]))
      #expect(abs(newest - oldest) > 40, "frame \(start / size) shows \(newest) and \(oldest)")
    }
  }

  @Test func theSoundOfAClipBeginsAgainWithIt() async throws {
    try await makeSecond(in: folder)
    try Data("0.1 record on take.mkv\n".utf8).write(to: folder.appending(path: "show.txt"))
    // Until there are 3.5 seconds of the recording.
    let show = try await Command.play(
      "second.mkv --sound source --output sink:fakesink --replay show.txt",
      until: "ffprobe -v error -select_streams a -show_entries packet=pts_time -of csv=p=0 "
        + "take.mkv | awk -F , '$1 + 0 > 3.5 { isLong = 1 } END { exit !isLong }'", in: folder)
    #expect(show.text.contains("recorded take.mkv"), "\(show.text)")
    let result = try await Command.run(
      "ffmpeg -v info -ss 2 -i take.mkv -af volumedetect -vn -f null - 2>&1 | grep mean_volume",
      in: folder)
    // A sine of an eighth of full scale has -21 dB; silence has -91.
    let volume = result.text.firstMatch(of: /mean_volume: (-[0-9.]+) dB/).flatMap { Double($0.1) }
    #expect(try #require(volume, "\(result.text)") > -35, "\(result.text)")
  }

  @Test(arguments: [
    ("no-such-film.mp4 --output sink:fakesink", 1, "no-such-film.mp4: no such file"),
    ("pattern:ball --output sink:fakesink --duration 1 --folder /no/such", 1, "--folder /no/such"),
    ("pattern:ball --output sink:fakesink --duration 1 --midi no-such", 1, "No MIDI from no-such"),
    ("pattern:ball --duration 1 --output srt://:99999", 64, "must name a port"),
    ("pattern:ball --duration 1 --output srt://host", 64, "must name a port"),
    // A resolver is asked for the host.
    (
      "pattern:ball --duration 60 --output srt://nohost.invalid:7001", 1,
      "srt://nohost.invalid:7001 cannot be opened"
    ),
    ("pattern:ball --duration 60", 1, "There is no display"),
    ("pattern:nonsense --output sink:fakesink", 1, "pattern"),
    ("pattern:ball --output nonsense", 64, "There are: window"),
    ("pattern:ball --output sink:nonsense", 1, "There is no GStreamer element nonsense."),
    ("pattern:ball --size big", 64, "1280x720"),
    ("pattern:ball --bpm 1000", 64, "20 to 400"),
    ("pattern:ball --remote --remote-code 12", 64, "six digits, not \"12\""),
    ("pattern:ball --sound source", 64, "the pattern ball is not one"),
    ("--sound source", 64, "the first camera is not one"),
    ("pattern:ball --set depth=-1 --output sink:fakesink", 64, "depth"),
    ("pattern:ball --set dpeth=2 --output sink:fakesink", 64, "Did you mean depth?"),
    ("pattern:ball --preset vortx --output sink:fakesink", 1, "Did you mean Vortex?"),
    ("pattern:ball --set nonsense --output sink:fakesink", 64, "property=value"),
    ("pattern:ball --preset Nonsense --output sink:fakesink", 1, "There is no preset Nonsense"),
    ("pattern:ball --replay no-such-show --output sink:fakesink", 1, "cannot be read"),
    ("pattern:ball --moves /proc/no --output sink:fakesink", 1, "cannot be written"),
  ]) func invalidLinesAreRefusedWithASentence(
    arguments: String, status: Int32, sentence: String
  ) async throws {
    let result = try await Command.run("\(live) \(arguments)", status: status, environment: presets)
    #expect(result.text.contains(sentence), "\(result.text)")
  }

  @Test func aPageForPhonesIsServedAsLongAsTheShowGoesOn() async throws {
    try Data("0.1 blackout on\n".utf8).write(to: folder.appending(path: "show.txt"))
    let script = """
      \(live) pattern:ball --remote --remote-port 0 --output sink:fakesink --replay show.txt \
        >said.txt 2>&1 & show=$!
      # The page comes first, and the show then: until it runs, signals are not handled.
      says '^black'
      port=$(sed -nE 's/^phones .*:([0-9]+).$/\\1/p' said.txt)
      exec 3<>/dev/tcp/127.0.0.1/$port
      printf 'GET / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n' >&3
      head -c 15 <&3
      exec 3>&-
      end
      (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null || echo gone
      """
    let result = try await Command.play(script: script, in: folder, environment: presets)
    #expect(result.text.contains("HTTP/1.1 200 OK"), "\(result.text)")
    #expect(result.text.contains("gone"), "\(result.text)")
    // Only this machine connects, so there is no code.
    #expect(!result.text.contains("code"), "\(result.text)")
  }

  @Test func theTerminalShowsWhatKeysDo() async throws {
    let tmux = "tmux -S '\(folder.path)/tmux'"
    let script = """
      \(tmux) new-session -d -s show -x 150 -y 40 \
        '\(live) pattern:ball --size 320x240 --output sink:fakesink; echo $? > over.txt' \\; \
        set-option -p remain-on-exit on > server.txt 2>&1
      # Tests run with signals blocked, and what they start has them blocked, too: kill-server does
      # nothing.
      end_tmux() { kill -KILL "$(\(tmux) display-message -p '#{pid}')"; }
      # shows PATTERN [KEY]: presses a key until its sentence is there, which does not stay for ever.
      shows() {
        for i in $(seq 0 299); do
          [ -z "${2:-}" ] || [ $((i % 50)) != 0 ] || \(tmux) send-keys -t show "$2"
          \(tmux) capture-pane -p -t show | grep -qE "$1" && return
          sleep 0.1
        done
        echo "never shown: $1"; \(tmux) capture-pane -p -t show
        end_tmux; exit 1
      }
      shows 'frames/s'
      shows 'No window is open' F11
      \(tmux) send-keys -t show n; shows 'map +grid'
      \(tmux) send-keys -t show f; shows FROZEN
      \(tmux) send-keys -t show u; \(tmux) send-keys -t show b; shows BLACK
      \(tmux) send-keys -t show Right; shows 'angle +[^ ]+ 7\\.2'
      \(tmux) send-keys -t show '?'; shows 'tap the tempo'
      \(tmux) send-keys -t show '?'; \(tmux) send-keys -t show Down; shows '> +mode'
      shows 'Still: .*png' s
      \(tmux) send-keys -t show q
      until_true '[ -s over.txt ]'
      end_tmux
      grep -qx 0 over.txt
      """
    try await Command.play(script: script, in: folder, environment: presets)
  }

  @Test func oscAndMidiPlayTogether() async throws {
    let script = """
      mkfifo parameters
      port=$(free_port)
      echo '0.1 blackout on' > show.txt
      XDG_CONFIG_HOME=$PWD \(live) pattern:ball --size 320x240 --output sink:fakesink --osc $port \
        --midi parameters --replay show.txt > said.txt 2>&1 & show=$!
      exec 5> parameters
      says 'gain 2.5' 'oscsend 127.0.0.1 $port /slitscan/gain f 2.5'
      says 'tempo 9' 'oscsend 127.0.0.1 $port /slitscan/tempo f 90'
      # Half a message, and bytes that are none.
      says 'mix 0' "printf '\\xff\\x00\\xb0\\x07' >&5; oscsend 127.0.0.1 $port /slitscan/mix f 0"
      says '! ' 'oscsend 127.0.0.1 $port /slitscan/nonsense f 1'
      # The inputs come first, and the show then: until it runs, signals are not handled.
      says '^black'; end
      """
    let result = try await Command.play(script: script, in: folder, environment: presets)
    #expect(result.text.contains("ended with 0"), "\(result.text)")
  }

  @Test func keysInTheWindowPlay() async throws {
    let script = """
      \(live) pattern:ball --size 320x240 --output 'sink:ximagesink' > said.txt 2>&1 & show=$!
      says map 'xdotool search --onlyvisible --name . windowfocus mousemove 100 100 key n'; end
      """
    let result = try await Command.play(
      script: script, in: folder, under: "with-display.sh", environment: presets)
    #expect(result.text.contains("ended with 0"), "\(result.text)")
    #expect(result.text.contains("map "), "\(result.text)")
  }
}
