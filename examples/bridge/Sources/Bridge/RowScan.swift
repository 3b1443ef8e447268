// The simplest slit-scan effect, in plain Swift: each row has another delay.

import GStreamer

/// Delays every row of a frame by its height: the topmost is now, the lowest `depth` frames ago.
struct RowScan {
  private let depth: Int
  /// The last frames, as references: the newest is the last.
  private var past: [Sample] = []

  init(depth: Int) { self.depth = depth }

  /// The scanned picture at the time of `sample`.
  mutating func next(_ sample: Sample) throws -> Sample {
    guard let buffer = sample.buffer, let caps = sample.caps else { return sample }
    past.append(sample)
    if past.count > depth { past.removeFirst() }

    let info = try VideoInfo(caps)
    var result = try WritableBuffer(info)
    result.presentationTime = buffer.presentationTime
    result.duration = buffer.duration
    try result.withVideoFrame(info) { (frame) throws(GStreamerError) in
      for age in 0..<depth {
        // Before there are enough, the oldest stands in.
        let source = try past[max(0, past.count - 1 - age)].videoFrame()
        for plane in 0..<frame.planeCount {
          let rows = frame.shape(ofPlane: plane).rows
          for row in (age * rows / depth)..<((age + 1) * rows / depth) {
            let pixels = source.row(row, ofPlane: plane)
            var target = frame.mutableRow(row, ofPlane: plane)
            for index in pixels.indices { target[index] = pixels[index] }
          }
        }
      }
    }
    return Sample(result.finish(), caps: caps)
  }
}
