// Cameras that are connected while a show runs become its last sources.

import GStreamer
import SlitScanCapture

extension CaptureStage {
  /// Takes in the cameras that are connected, as long as the stage is there.
  static func watchForCameras(_ stage: CaptureStage) -> Task<Void, Never> {
    Task { [weak stage] in
      do throws(CaptureError) {
        for await camera in try await Camera.newDevices() { await stage?.welcome(camera) }
      } catch {
        stage?.broadcast.tell(.notice(error.message))
      }
    }
  }

  private func welcome(_ camera: CameraDevice) async {
    guard !isKnown(camera) else { return }
    guard inputs.count < capacity else {
      return broadcast.tell(
        .notice("\(camera.name) was connected. --hotplug allows no further source."))
    }
    let number = inputs.count
    inputs.append(.camera(.device(camera)))
    let sources = names.withLock { names in
      names.append(camera.name)
      return names
    }
    broadcast.tell(.sources(sources))
    broadcast.tell(.notice("source \(number + 1): \(camera.name)"))
    if let error = await openInput(number) { bringBack(number, because: error) }
  }

  /// Whether a camera is one of the sources, which is looked for already where it was gone.
  private func isKnown(_ camera: CameraDevice) -> Bool {
    for (number, input) in inputs.enumerated() {
      switch input {
      case .camera(.device(let other)) where other.isSame(as: camera): return true
      case .camera(.path(let path)) where path == camera.path: return true
      case .camera(.first) where comebacks[number] != nil: return true
      default: continue
      }
    }
    return false
  }
}
