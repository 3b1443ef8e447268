import GStreamer

@main enum Bridge {
  static func main() async throws {
    let reading = try Pipeline(
      "videotestsrc pattern=ball num-buffers=120 "
        + "! video/x-raw,format=RGB,width=640,height=480 ! appsink name=frames")
    let frames = try AppSink(reading.element(named: "frames"))
    try await reading.play()
    for try await sample in frames.samples {
      print(sample.runningTime ?? .zero)
    }
    await reading.stop()
  }
}
