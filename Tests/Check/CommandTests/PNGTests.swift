// Tests of the PNG files that are written row by row, read by ffmpeg: GStreamer's pngdec 1.22 shifts samples of 16 bits.

import CommandUnderTest
import Foundation
import TemporaryFolder
import Testing

@testable import SlitScanRender

struct PNGTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  /// Each channel is told from the others, and each byte of a sample from the other.
  @Test(arguments: [
    (PNGPixels(channels: 1), "gray", 1), (PNGPixels(channels: 1, bits: 16), "gray16be", 2),
    (PNGPixels(), "rgb24", 3), (PNGPixels(channels: 4, isOpaque: false), "rgba", 4),
    (PNGPixels(channels: 4, bits: 16, isOpaque: false), "rgba64be", 8),
    (PNGPixels(channels: 4, bits: 16), "rgb48be", 6),
  ])
  func pixelsAreReadAsTheyWereWritten(pixels: PNGPixels, format: String, kept: Int) async throws {
    let size = pixels.byteCount
    let rows = (0..<4).map { row in
      (0..<8 * size).map { UInt8(truncatingIfNeeded: 1 + 7 * $0 + 61 * row) }
    }
    let path = folder.appending(path: "p.png").path
    do {
      let file = try PNGFile.create(path, called: "p.png", width: 8, height: 4, pixels)
      for row in rows { try file.write(row.span) }
      try file.finish()
    }
    let line =
      "ffprobe -v error -show_entries stream=pix_fmt -of csv=p=0 p.png && "
      + "ffmpeg -v error -i p.png -f rawvideo -pix_fmt \(format) raw"
    #expect(try await Command.run(line, in: folder).text == "\(format)\n")
    let raw = try Data(contentsOf: folder.appending(path: "raw"))
    let expected = rows.joined().enumerated().filter { $0.offset % size < kept }.map(\.element)
    #expect(Array(raw) == expected)
  }
}
