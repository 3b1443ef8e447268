import GStreamer

@main enum Bridge {
  static func main() async throws {
    let reading = try Pipeline(
      "videotestsrc pattern=ball num-buffers=120 "
        + "! video/x-raw,format=RGB,width=640,height=480 ! appsink name=frames")
    let writing = try Pipeline(
      "appsrc name=frames ! videoconvert ! autovideosink")
    let frames = try AppSink(reading.element(named: "frames"))
    let frames = try AppSrc(writing.element(named: "frames"))

    async let shows: Void = writing.play()
    try await reading.play()
    for try await sample in frames.samples {
      try await frames.send(sample)
    }
    try await frames.finish()
    try await shows
    try await writing.end()
    await reading.stop()
    await writing.stop()
  }
}
