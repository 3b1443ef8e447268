// The camera source delivers the frames of a camera.

import GStreamer

/// A camera that was found.
public struct CameraDevice: Sendable, Hashable {
  /// The system through which a camera was found.
  package enum Backend: Sendable, Hashable {
    /// The kernel: Video4Linux.
    case v4l2
    /// PipeWire, which shares cameras between programs.
    case pipeWire
    /// Another plugin of GStreamer.
    case other
  }

  let device: Device
  /// The system through which a camera was found.
  package let backend: Backend
  /// Its device file, as `/dev/video0`; nil where that is not known.
  public let path: String?

  init(_ device: Device) {
    self.device = device
    let properties = device.properties
    path = properties?.get("api.v4l2.path") ?? properties?.get("device.path")
    // PipeWire also says which device file is behind its cameras.
    if properties?.name == "pipewire-proplist" {
      backend = .pipeWire
    } else if path != nil {
      backend = .v4l2
    } else {
      backend = .other
    }
  }

  /// The name for people.
  public var name: String { device.name }
  /// The caps that it supports, nil if unknown.
  public var caps: Caps? { device.caps }
}

extension Camera {
  /// The cameras that there are now.
  ///
  /// - Throws: ``CaptureError/Code/missingElement`` where GStreamer does not start.
  public static func devices() async throws(CaptureError) -> [CameraDevice] {
    do throws(GStreamerError) {
      return try await DeviceMonitor().devices(of: "Video/Source").map { CameraDevice($0) }
    } catch {
      throw CaptureError(
        .missingElement, "GStreamer cannot list the cameras.", underlying: error)
    }
  }
}

/// A camera of Video4Linux or PipeWire, found by GStreamer's device monitor.
///
/// It is opened when the frames begin or the element's pipeline plays, and closed when they end.
package actor CameraSource: FrameSource {
  private let choice: Camera.Choice
  private let request: VideoRequest

  /// A camera, not opened yet.
  ///
  /// - Parameters:
  ///   - choice: Which camera.
  ///   - request: What it should give; a camera that cannot fails when it is opened.
  package init(_ choice: Camera.Choice = .first, _ request: VideoRequest = VideoRequest()) {
    self.choice = choice
    self.request = request
  }

  /// The camera's element, with a decoder where the camera gives JPEG: many do, for all but their
  /// smallest frames.
  ///
  /// - Throws: ``CaptureError/Code/noCamera``, ``CaptureError/Code/missingElement``,
  ///   ``CaptureError/Code/badConfiguration`` where no frame can have the size or the rate.
  package func makeElement() async throws(CaptureError) -> Element {
    switch choice {
    case .first:
      guard let camera = try await Camera.devices().first else {
        throw CaptureError(
          .noCamera,
          "No camera was found. Connect one, and check that you may read /dev/video0 "
            + "(group video) or that PipeWire is running.")
      }
      return try element(for: camera)
    case .device(let camera):
      // PipeWire's source waits for one that is gone, and keeps everything else from opening meanwhile.
      guard let camera = try await Camera.devices().first(where: { $0.isSame(as: camera) }) else {
        throw CaptureError(.noCamera, "\(camera.name) is not connected.")
      }
      return try element(for: camera)
    case .path(let path):
      if let camera = try await Camera.devices().first(where: { $0.path == path }) {
        return try element(for: camera)
      }
      // The monitor does not see everything that can be opened.
      return try chain(mayGiveJPEG: true) { () throws(GStreamerError) in
        let source = try Element("v4l2src")
        try source.set("device", to: path)
        return source
      }
    }
  }

  private func element(for camera: CameraDevice) throws(CaptureError) -> Element {
    let kinds = camera.caps?.structures.map(\.name) ?? []
    return try chain(mayGiveJPEG: kinds.isEmpty || kinds.contains("image/jpeg")) {
      () throws(GStreamerError) in
      let source = try camera.device.makeElement()
      // When PipeWire's source stops, it takes back the memory of its buffers even if they are still
      // read. Copying each frame prevents that.
      if camera.backend == .pipeWire { try source.set("always-copy", to: true) }
      return source
    }
  }

  private func chain(
    mayGiveJPEG: Bool, _ makeSource: () throws(GStreamerError) -> Element
  ) throws(CaptureError) -> Element {
    let formats =
      try mayGiveJPEG ? request.caps() + ";" + request.caps("image/jpeg") : request.caps()
    do throws(GStreamerError) {
      var elements = try [makeSource(), Element(filter: Caps(formats))]
      if mayGiveJPEG {
        // Lets raw frames through.
        elements += try [Element("decodebin"), Element("identity")]
      }
      return try Element(chaining: elements)
    } catch {
      throw explain(error)
    }
  }

  /// The explanation of an error of the camera.
  package nonisolated func explain(_ error: GStreamerError) -> CaptureError {
    switch error.code {
    case .resourceBusy:
      CaptureError(
        .cameraBusy, "The camera is in use. Close the other program, or use it through PipeWire.",
        underlying: error)
    case .resourceNotFound, .resourceOpenRead:
      CaptureError(
        .noCamera,
        "The camera is not connected, or may not be read. Check that you are in the group video.",
        underlying: error)
    case .noSuchElement:
      CaptureError(
        .missingElement,
        "A part of GStreamer is not installed. Install gstreamer1.0-plugins-good, and for PipeWire "
          + "gstreamer1.0-pipewire.", underlying: error)
    default:
      CaptureError(
        .sourceFailed, "The camera failed, or does not support the requested format.",
        underlying: error)
    }
  }
}
