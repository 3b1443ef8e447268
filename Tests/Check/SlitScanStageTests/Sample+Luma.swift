// The luma of a frame, to compare.

import GStreamer

extension Sample {
  /// The samples of the first plane, row by row.
  func luma() throws -> [UInt8] {
    let frame = try videoFrame()
    var samples: [UInt8] = []
    for number in 0..<frame.info.height {
      let row = frame.row(number, ofPlane: 0)
      for index in row.indices { samples.append(row[index]) }
    }
    return samples
  }
}
