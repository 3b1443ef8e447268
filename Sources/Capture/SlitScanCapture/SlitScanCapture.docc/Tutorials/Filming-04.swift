import GStreamer
import SlitScanCapture

@main enum Film {
  static func main() async throws {
    let pipeline = try Pipeline(
      """
      videotestsrc is-live=true pattern=ball num-buffers=120
        ! video/x-raw,width=640,height=480,framerate=30/1
        ! appsink name=frames sync=false
      audiotestsrc is-live=true wave=ticks samplesperbuffer=1600 num-buffers=120
        ! audio/x-raw,rate=48000,channels=2
        ! appsink name=sound sync=false
      """)
    let frames = try AppSink(pipeline.element(named: "frames"))
    let sound = try AppSink(pipeline.element(named: "sound"))

    let recorder = try Recorder(to: "film.mp4", audio: AudioSettings())
    try await recorder.start()
    try await pipeline.play()

    async let hears: Void = {
      for try await sample in sound.samples {
        try await recorder.append(audio: sample)
      }
    }()
    for try await sample in frames.samples {
      try await recorder.append(video: sample)
    }
    try await hears

    let recording = try await recorder.finish()
    print("\(recording.path): \(recording.frames) frames, \(recording.duration)")
    await pipeline.stop()
  }
}
