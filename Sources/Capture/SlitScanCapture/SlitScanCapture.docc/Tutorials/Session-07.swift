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
