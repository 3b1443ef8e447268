import GStreamer

/// Keeps, of every pixel, the brightest that it has been.
struct LightPainting {
  private var brightest: [UInt8] = []

  /// The painting so far, at the time of a sample.
  mutating func next(_ sample: Sample) throws -> Sample {
    guard let buffer = sample.buffer, let caps = sample.caps else { return sample }
    var result = try WritableBuffer(copying: buffer)
    try result.withVideoFrame(VideoInfo(caps)) { frame in
      let shape = frame.shape(ofPlane: 0)
      if brightest.count != shape.rows * shape.rowBytes {
        brightest = [UInt8](repeating: 0, count: shape.rows * shape.rowBytes)
      }
      for row in 0..<shape.rows {
        var pixels = frame.mutableRow(row, ofPlane: 0)
        for index in pixels.indices {
          let place = row * shape.rowBytes + index
          brightest[place] = max(brightest[place], pixels[index])
          pixels[index] = brightest[place]
        }
      }
    }
    return Sample(result.finish(), caps: caps)
  }
}

@main enum Bridge {
  static func main() async throws {
    let reading = try Pipeline(
      "videotestsrc is-live=true pattern=ball num-buffers=120 "
        + "! video/x-raw,format=RGB,width=640,height=480 ! appsink name=frames")
    let writing = try Pipeline(
      "appsrc name=output ! videoconvert ! autovideosink")
    let frames = try AppSink(
      reading.element(named: "frames"), delivery: .latest(1))
    let output = try AppSrc(writing.element(named: "output"))

    async let shows: Void = writing.play()
    try await reading.play()
    var painting = LightPainting()
    for try await sample in frames.samples {
      try await output.send(painting.next(sample))
    }
    try await output.finish()
    try await shows
    try await writing.waitForEnd()
    await reading.stop()
    await writing.stop()
    print("\(frames.dropped) frames came too fast.")
  }
}
