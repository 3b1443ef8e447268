// Tests the memory that photos of long films take. Live: it is sampled while the command runs, for a minute.

import CommandUnderTest
import Foundation
import TemporaryFolder
import Testing

@Suite(.enabled(if: Command.isPrepared)) struct PhotoMemoryTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  /// Width and height, as the header of a PNG file says.
  private func size(_ name: String, in folder: URL) throws -> [Int] {
    let header = try Data(contentsOf: folder.appending(path: name)).prefix(24)
    return [16, 20].map { start in header[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } }
  }

  /// A strip that is ten times as long takes no more memory, however much more than that it is.
  @Test func memoryDoesNotGrowWithTheFilm() async throws {
    try await Command.run(
      """
      gst-launch-1.0 -q videotestsrc num-buffers=6000 pattern=ball \
      ! video/x-raw,width=64,height=360,framerate=25/1,format=I420 \
      ! x264enc speed-preset=ultrafast ! matroskamux ! filesink location=film.mkv
      """, in: folder)
    var peaks: [Int] = []
    for width in [4, 40] {
      let script = """
        \(Command.slitscan) photo film.mkv -o \(width).png --slit-width \(width) -q --scale &
        process=$!
        while kill -0 $process 2>&-; do
          while read -r name value _; do
            [ "$name" != VmHWM: ] || echo "$value" >>peak.\(width)
          done </proc/$process/status
          sleep 0.1
        done
        wait $process
        """
      try await Command.run(script, in: folder)
      let seen = try String(contentsOf: folder.appending(path: "peak.\(width)"), encoding: .utf8)
      peaks.append(try #require(seen.split(separator: "\n").compactMap { Int($0) }.max()))
    }
    // Debian's ImageMagick opens nothing that is so long.
    #expect(try size("4.png", in: folder) == [24_000, 390])
    #expect(try size("40.png", in: folder) == [240_000, 390])
    // The longer one has 260 MB of pixels, the shorter one 26.
    #expect(peaks[1] < 200_000, "\(peaks) kB")
    #expect(peaks[1] - peaks[0] < 100_000, "\(peaks) kB")
  }
}
