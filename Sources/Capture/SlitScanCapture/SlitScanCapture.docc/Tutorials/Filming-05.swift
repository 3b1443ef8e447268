import GStreamer
import SlitScanCapture

@main enum Film {
  static func main() async throws {
    let pipeline = try Pipeline(
      """
      videotestsrc is-live=true pattern=ball num-buffers=120
        ! video/x-raw,width=640,height=480,framerate=30/1
        ! appsink name=frames sync=false
      """)
    let frames = try AppSink(pipeline.element(named: "frames"))

    let recorder = try Recorder(to: "film.mp4")
    try await recorder.start()
    try await pipeline.play()
    for try await sample in frames.samples {
      try await recorder.append(video: sample)
    }
    let recording = try await recorder.finish()
    print("\(recording.path): \(recording.frames) frames, \(recording.duration)")
    await pipeline.stop()
  }
}
