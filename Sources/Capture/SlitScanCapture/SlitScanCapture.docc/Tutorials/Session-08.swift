import Observation
import SlitScanCapture

/// The view model: buttons, and something that they change.
@MainActor final class BoothModel {
  let controller = CaptureController()
  private var scan = Scan(map: .radial, depth: 45, interpolation: .linear)
  private var isRecording = false

  func open() async { await apply() }

  func choose(preset: String) async {
    scan = Scan(preset: preset)
    await apply()
  }

  func toggleRecording() async {
    isRecording.toggle()
    await apply()
  }

  private func apply() async {
    await controller.update {
      TestPattern("ball")
      TestTone("ticks", delay: .center)
      scan
      Preview()
      if isRecording { Record(to: "booth.mp4") }
    }
  }
}

@main enum Booth {
  @MainActor static func main() async throws {
    let model = BoothModel()
    let controller = model.controller
    let watching = Task {
      let lines = Observations {
        controller.failure.map { "\($0)" }
          ?? "\(controller.status.frames) frames, \(controller.status.recordings.count) recordings"
      }
      for await line in lines { print(line) }
    }
    defer { watching.cancel() }

    await model.open()
    try await Task.sleep(for: .seconds(1))
    await model.toggleRecording()
    await model.choose(preset: "Vortex")
    try await Task.sleep(for: .seconds(2))
    try await controller.photo()?.write(to: "booth.png")
    await model.toggleRecording()
    for recording in controller.completed { print(recording.path, recording.duration) }
    await controller.stop()
  }
}
