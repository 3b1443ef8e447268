// Tests of `slitscan render` with what is not certain: shows in real time, signals that come in the middle of a
// rendering, programs of others.

import CommandUnderTest
import Foundation
import TemporaryFolder
import TestFilm
import Testing

@Suite(.serialized, .enabled(if: Command.isPrepared)) struct RenderLiveTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  /// Takes long enough to render to be caught in the middle.
  private static let large = Command.root.appending(path: "examples/footage/bigbuckbunny.mp4").path

  // The show is played in real time.
  @Test func aShowThatWasPlayedIsRendered() async throws {
    let show = "0.5 set map radial\n1 drive angle saw 4 0 360\n2 set depth 30\n"
    try Data(show.utf8).write(to: folder.appending(path: "show.txt"))
    try await Command.play(
      "\(Command.smallClip) --output sink:fakesink --set depth=9 --moves moves.txt --replay show.txt",
      until: "[ \"$(wc -l <moves.txt)\" -ge 4 ]", in: folder)
    let moves = try String(contentsOf: folder.appending(path: "moves.txt"), encoding: .utf8)
    // When they were done, which is later where the machine was busy.
    let times = moves.split(separator: "\n").compactMap {
      $0.split(separator: " ").first.flatMap { Double($0) }
    }
    try #require(times.count == 3, "\(moves)")
    func render(_ options: String) async throws -> [[UInt8]] {
      let result = try await Command.run(
        "\(Command.slitscan) render \(Command.smallClip) -o out.mkv -f --set depth=9 \(options) "
          + "--lossless --no-sound", in: folder)
      #expect(!result.text.contains("Warning"), "\(result.text)")
      return try await Decoded(folder.appending(path: "out.mkv").path).frames
    }
    let one = try await render("--replay moves.txt")
    let isSame = try await render("--replay moves.txt") == one
    #expect(isSame)
    // Before the first move, and from the last one on, at 25 frames a second.
    let unmoved = try await render("--set history=whole")
    #expect(one.count == 132 && unmoved.count == 132)
    let (before, after) = (Int(times[0] * 25) - 2, Int(times[2] * 25) + 2)
    try #require(before >= 10, "\(moves)")
    let isUnmoved = one.prefix(before) == unmoved.prefix(before)
    #expect(isUnmoved)
    let areMoved = zip(one, unmoved).dropFirst(after).allSatisfy { $0 != $1 }
    #expect(areMoved)
  }

  /// A preset of a show with sound, in a film with and without.
  // The show that saves it is played in real time.
  @Test func aPresetFollowsTheSoundOfTheFilm() async throws {
    let home = [
      "HOME": folder.path, "XDG_DATA_HOME": folder.appending(path: "data").path,
    ]
    try Data("0.2 drive mix band 20 150 0 1\n0.4 save \"Night Shift\"\n".utf8).write(
      to: folder.appending(path: "save.txt"))
    try Data("0 preset \"Night Shift\"\n".utf8).write(to: folder.appending(path: "show.txt"))
    try await TestFilm.brightening(folder.appending(path: "in.mkv").path, frames: 50, bass: 1..<2)
    let saved = try await Command.play(
      "pattern:ball --size 64x48 --sound tone --set depth=30 --output sink:fakesink "
        + "--replay save.txt",
      until: "grep -q '^Saved as preset' said.txt", in: folder, environment: home)
    #expect(saved.text.contains("Saved as preset"), "\(saved.text)")
    let result = try await Command.run(
      "\(Command.slitscan) render in.mkv -o out.mkv --replay show.txt --lossless", in: folder,
      environment: home)
    #expect(!result.text.contains("Warning"), "\(result.text)")
    let behind = try await Decoded(folder.appending(path: "out.mkv").path).behind()
    #expect(behind.count == 50)
    // In silence the frame as it is, with the bass the effect.
    #expect(behind[2...25].allSatisfy { abs($0) < 1 }, "\(behind)")
    #expect(behind[27...].allSatisfy { $0 > 20 }, "\(behind)")
    let mute = try await Command.run(
      "ffmpeg -v error -i in.mkv -c copy -an mute.mkv; "
        + "\(Command.slitscan) render mute.mkv -o mute-out.mkv --replay show.txt", in: folder,
      environment: home)
    let sentence = "Warning: 0.000 preset \"Night Shift\": There is no sound for mix to follow."
    #expect(mute.text.contains(sentence), "\(mute.text)")
  }

  // The signal has to come before the rendering ends.
  @Test(arguments: [
    (name: "INT", status: 130), (name: "TERM", status: 143), (name: "HUP", status: 129),
  ])
  func anInterruptedRenderingLeavesNothing(signal: (name: String, status: Int32)) async throws {
    let result = try await Command.play(
      script: """
        set -m
        \(Command.slitscan) render \(Self.large) \(Self.large) -o out.webm --codec vp9 >said.txt 2>&1 & show=$!
        until_true '[ -s out.webm.*.part ] && grep -q Rendering said.txt'
        kill -\(signal.name) $show; wait $show; echo "ended with $?"
        cat said.txt
        """, in: folder)
    #expect(result.text.contains("ended with \(signal.status)\n"), "\(result.text)")
    #expect(result.text.contains("Interrupted. Nothing was written."), "\(result.text)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.sorted() == ["play.sh", "said.txt"])
  }

  /// A pipe without a reader, one whose reader reads nothing, and moves that do not come.
  @Test(arguments: [
    (": ", "CLIP -o pipe --container mkv"), ("sleep 600 <pipe & ", "CLIP -o pipe --container mkv"),
    (": ", "CLIP -o out.mkv --replay pipe"),
  ])
  func aRenderingThatWaitsForAPipeIsInterrupted(reader: String, options: String) async throws {
    let result = try await Command.play(
      script: """
        set -m
        mkfifo pipe
        \(reader) other=$!
        \(Command.slitscan) render \(options.replacing("CLIP", with: Self.large)) >said.txt 2>&1 & show=$!
        sleep 2
        kill -TERM $show; wait $show; echo "ended with $?"
        [ -z "$other" ] || kill $other
        cat said.txt
        """, in: folder)
    #expect(result.text.contains("ended with 143\n"), "\(result.text)")
  }

  // Stopped and killed before the rendering ends.
  @Test func theNextRenderingRemovesTheFilesOfAKilledOne() async throws {
    try await TestFilm.noise(folder.appending(path: "in.mkv").path, frames: 5)
    // The first one is slow enough to be stopped in the middle, and is still there then.
    let script = """
      set -m
      \(Command.slitscan) render \(Self.large) -o out.webm >said.txt 2>&1 & show=$!
      until_true 'grep -q Rendering said.txt && ls out.webm.*.part'
      kill -STOP $show
      ls out.webm.*.part >begun
      \(Command.slitscan) render in.mkv -o out.webm -q || exit 4
      ls out.webm.*.part >running
      kill -KILL $show; wait $show
      ls out.webm.*.part >killed
      \(Command.slitscan) render in.mkv -o out.webm -q --force || exit 5
      """
    try await Command.play(script: script, in: folder)
    let texts = try ["begun", "running", "killed"].map {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }
    #expect(texts[0].contains(".part") && Set(texts).count == 1, "\(texts)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasSuffix(".part") } && left.contains("out.webm"), "\(left)")
  }

  // A server in Python.
  @Test func filmsComeFromAddressesAndGoToStandardOutput() async throws {
    try await TestFilm.noise(folder.appending(path: "a film.mkv").path, frames: 60)
    let script = """
      python3 -u -m http.server --bind 127.0.0.1 0 >said.txt 2>/dev/null & show=$!
      until_true 'port=$(grep -oE "port [0-9]+" said.txt)'
      address=http://127.0.0.1:${port#port }
      \(Command.slitscan) render $address/a%20film.mkv -o http.mkv
      \(Command.slitscan) render $address/none.mkv -o none.mkv
      \(Command.slitscan) photo file://$PWD/a%20film.mkv -o file.png
      \(Command.slitscan) render 'a film.mkv' -o - --container mkv 2>said | cat >piped.mkv
      cat said
      kill $show
      """
    let result = try await Command.play(script: script, in: folder)
    #expect(result.text.contains("http.mkv: 60 frames"), "\(result.text)")
    #expect(result.text.contains("There is nothing at this address"), "\(result.text)")
    #expect(result.text.contains("file.png: 60x64"), "\(result.text)")
    #expect(result.text.contains("Standard output: 60 frames"), "\(result.text)")
    #expect(try await Decoded(folder.appending(path: "http.mkv").path).frames.count == 60)
    #expect(try await Decoded(folder.appending(path: "piped.mkv").path).frames.count == 60)
  }

  // ffmpeg makes them: GStreamer writes neither edit lists that cut frames off nor such fragments.
  @Test(arguments: [
    ("-ss 0.7 -i long.mp4 -t 0.8", "out.mkv: "),
    ("-i long.mp4 -movflags frag_keyframe+empty_moov", "out.mkv: 60 frames"),
  ])
  func framesThatAreMovedInTimeAreNotMissed(options: String, words: String) async throws {
    let result = try await Command.run(
      """
      ffmpeg -v error -f lavfi -i testsrc2=size=160x120:rate=30:duration=2 -c:v libx264 -bf 3 -g 60 long.mp4
      ffmpeg -v error \(options) -c copy in.mp4
      \(Command.slitscan) render in.mp4 -o out.mkv
      """, in: folder)
    #expect(!result.text.contains("incomplete"), "\(result.text)")
    #expect(result.text.contains(words), "\(result.text)")
  }
}
