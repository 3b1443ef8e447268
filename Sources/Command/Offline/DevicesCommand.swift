// The command `slitscan devices` lists cameras, microphones, displays and the GPU.

import ArgumentParser
import GStreamer
import SlitScanCapture
import SlitScanWindow

struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List cameras, microphones, displays and the GPU.",
    discussion: """
      Use the path of a camera, and the number of a display, to select it:

        slitscan live /dev/video0 --output fullscreen:2
        gst-launch-1.0 v4l2src device=/dev/video0 \\
          ! slitscan ! autovideosink

      In a Swift program, use Camera(.path("/dev/video0")), and Microphone with a device of \
      the list. If a camera is missing, check that you are in the group "video", or start PipeWire.

      \(ExitStatus.help)
      """)

  @Flag(help: "Print JSON for other programs: one object per line.")
  var json = false

  func run() async throws {
    let lines = try await endingAsSaid(json: json) {
      let cameras = try await Camera.devices()
      let microphones = try await Microphone.devices()
      // Without X11, there are none that could be named.
      let displays = (try? await WindowSystem.shared.displays()) ?? []
      return cameras.map { DeviceLine($0) } + microphones.map { DeviceLine($0) }
        + displays.map { DeviceLine($0) }
    }
    let gpu: DeviceLine?
    let gpuFailure: String
    do {
      (gpu, gpuFailure) = (DeviceLine(try await GPU.find()), "")
    } catch {
      (gpu, gpuFailure) = (nil, error.message)
    }
    if json {
      for line in lines + [gpu].compactMap(\.self) { try printJSON(line) }
      return
    }
    show("Cameras", lines.filter { $0.kind == "camera" })
    show("Microphones", lines.filter { $0.kind == "microphone" })
    show("Displays", lines.filter { $0.kind == "display" })
    if let gpu { show("GPU", [gpu]) } else { print("GPU: none. \(gpuFailure)") }
  }

  private func show(_ title: String, _ lines: [DeviceLine]) {
    guard !lines.isEmpty else {
      print("\(title): none found")
      return
    }
    print("\(title):")
    for line in lines {
      let place = (line.path ?? line.number.map { "\($0)" }).map { "\($0)  " } ?? ""
      let sizes = line.sizes.isEmpty ? "" : "  \(line.sizes.joined(separator: " "))"
      print("  \(place)\(line.name) (\(line.backend))\(sizes)")
    }
  }
}

/// A device, as a line of JSON.
private struct DeviceLine: Encodable, Sendable {
  let kind: String
  let name: String
  /// The path that picks it: a camera's device file.
  private(set) var path: String?
  /// The number that picks a display, from 1 on.
  private(set) var number: Int?
  let backend: String
  /// The sizes of a camera or a display, as `1280x720`, largest first.
  private(set) var sizes: [String] = []

  init(_ camera: CameraDevice) {
    kind = "camera"
    name = camera.name
    path = camera.path
    backend =
      switch camera.backend {
      case .v4l2: "Video4Linux"
      case .pipeWire: "PipeWire"
      case .other: "GStreamer"
      }
    var areas: [String: Int] = [:]
    for structure in camera.caps?.structures ?? [] {
      // Ranges are of cameras that scale, and say little.
      guard let width = structure.get("width", as: Int.self),
        let height = structure.get("height", as: Int.self)
      else { continue }
      areas["\(width)x\(height)"] = width.multipliedReportingOverflow(by: height).partialValue
    }
    sizes = areas.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  init(_ microphone: Device) {
    kind = "microphone"
    name = microphone.name
    let properties = microphone.properties
    path = properties?.get("device.path") ?? properties?.get("node.name")
    backend =
      properties?.name == "pipewire-proplist"
      ? "PipeWire" : properties?.get("device.api") ?? "GStreamer"
  }

  init(_ gpu: GPU) {
    kind = "gpu"
    name = gpu.renderer
    backend = gpu.isSoftware ? "software" : gpu.version
  }

  init(_ display: StageDisplay) {
    kind = "display"
    name = display.name
    number = display.number
    backend = "X11"
    sizes = ["\(display.width)x\(display.height)"]
  }
}
