// Videos with an orientation in their track header, as phones write them.

import Foundation
import GStreamer

/// The orientation in which frames are shown: the upper left of the matrix in the file's track header.
package enum VideoOrientation: String, Sendable, CaseIterable {
  case none, clockwise, half, counterclockwise, mirrored, upsideDown, diagonal

  /// Columns and rows of a frame, as those of the frame that is shown.
  fileprivate var matrix: [Int32] {
    switch self {
    case .none: [1, 0, 0, 1]
    case .clockwise: [0, 1, -1, 0]
    case .half: [-1, 0, 0, -1]
    case .counterclockwise: [0, -1, 1, 0]
    case .mirrored: [-1, 0, 0, 1]
    case .upsideDown: [1, 0, 0, -1]
    case .diagonal: [0, 1, 1, 0]
    }
  }
}

/// Makes videos of noise: each pixel of each frame is another one.
package enum OrientedVideo {
  /// The file is not what is expected of a muxer.
  package struct NoTrackHeader: Error {}

  /// Writes an MP4 file of frames that are shown turned.
  ///
  /// - Parameters:
  ///   - format: The format of the frames, one that H.264 can have.
  ///   - pattern: One of videotestsrc's.
  package static func write(
    _ path: String, _ turn: VideoOrientation, frames: Int = 5, format: String = "I420",
    size: (width: Int, height: Int) = (96, 64), pattern: String = "snow", hasSound: Bool = false
  ) async throws {
    let sound =
      hasSound
      ? """
      audiotestsrc wave=pink-noise num-buffers=\(frames * 4) samplesperbuffer=441 ! \
      audio/x-raw,rate=44100,channels=2 ! audioconvert ! avenc_aac ! queue ! m.
      """ : ""
    let pipeline = try Pipeline(
      """
      videotestsrc pattern=\(pattern) num-buffers=\(frames) ! \
      video/x-raw,width=\(size.width),height=\(size.height),framerate=25/1 ! videoconvert ! video/x-raw,format=\(format) ! \
      x264enc pass=quant quantizer=0 key-int-max=20 bframes=0 ! h264parse ! queue ! m. \(sound) \
      mp4mux name=m ! filesink location=\(path)
      """)
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()
    var video = try Data(contentsOf: URL(filePath: path))
    try turn.write(into: &video)
    try video.write(to: URL(filePath: path))
  }
}

extension VideoOrientation {
  /// Writes the matrix into the header of the first track of an MP4 file, which is that of its video.
  fileprivate func write(into video: inout Data) throws {
    guard let name = video.range(of: Data("tkhd".utf8)), video.count > name.upperBound + 88 else {
      throw OrientedVideo.NoTrackHeader()
    }
    // Version 1 has times of 64 bits.
    let times = video[name.upperBound] == 1 ? 32 : 20
    let start = name.upperBound + 4 + times + 16
    let numbers = matrix.map { $0 << 16 }
    let rows = [numbers[0], numbers[1], 0, numbers[2], numbers[3], 0, 0, 0, 1 << 30]
    for (index, number) in rows.enumerated() {
      let shifts = [24, 16, 8, 0]
      let bytes = shifts.map { UInt8(truncatingIfNeeded: number >> $0) }
      video.replaceSubrange(start + 4 * index..<start + 4 * index + 4, with: bytes)
    }
  }
}
