import GStreamer

@main enum Bridge {
  static func main() async throws {
    let reading = try Pipeline(
      "videotestsrc pattern=ball num-buffers=120 "
        + "! video/x-raw,format=RGB,width=640,height=480 ! appsink name=frames")
    let writing = try Pipeline(
      "appsrc name=output ! videoconvert ! autovideosink")
    let frames = try AppSink(reading.element(named: "frames"))
    let output = try AppSrc(writing.element(named: "output"))

    async let shows: Void = writing.play()
    try await reading.play()
    for try await sample in frames.samples {
      try await output.send(sample)
    }
    try await output.finish()
    try await shows
    try await writing.waitForEnd()
    await reading.stop()
    await writing.stop()
  }
}
