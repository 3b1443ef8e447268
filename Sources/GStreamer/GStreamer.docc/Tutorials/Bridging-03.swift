import GStreamer

@main enum Bridge {
  static func main() async throws {
    let reading = try Pipeline(
      "videotestsrc pattern=ball num-buffers=120 "
        + "! video/x-raw,format=RGB,width=640,height=480 ! appsink name=frames")
    let frames = try AppSink(reading.element(named: "frames"))
    try await reading.play()
    for try await sample in frames.samples {
      let frame = try sample.videoFrame()
      let row = frame.row(frame.info.height / 2, ofPlane: 0)
      print(sample.runningTime ?? .zero, "\(row[0]) \(row[1]) \(row[2])")
    }
    await reading.stop()
  }
}
