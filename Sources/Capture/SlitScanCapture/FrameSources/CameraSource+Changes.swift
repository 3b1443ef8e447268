// Cameras that are connected while a program runs.

import GStreamer

extension Camera {
  /// The cameras that are connected from now on.
  ///
  /// - Throws: ``CaptureError/Code/missingElement`` where nothing tells of cameras.
  public static func newDevices() async throws(CaptureError) -> AsyncStream<CameraDevice> {
    let found: AsyncStream<DeviceChange>
    do throws(GStreamerError) {
      found = try await DeviceMonitor().changes(of: "Video/Source").changes
    } catch {
      throw CaptureError(
        .missingElement, "GStreamer does not tell of cameras that are connected.",
        underlying: error)
    }
    let (cameras, continuation) = AsyncStream.makeStream(of: CameraDevice.self)
    let passing = Task {
      for await case .added(let device) in found { continuation.yield(CameraDevice(device)) }
      continuation.finish()
    }
    continuation.onTermination = { _ in passing.cancel() }
    return cameras
  }
}

extension CameraDevice {
  /// Whether it is the same camera, also where it has been disconnected and connected again since: by its name
  /// and the place that it is connected to.
  package func isSame(as other: CameraDevice) -> Bool { identity == other.identity }

  private var identity: [String?] {
    let properties = device.properties
    let places = ["v4l2.device.bus_info", "api.v4l2.cap.bus_info", "object.path", "node.name"]
    return [name, places.lazy.compactMap { properties?.get($0) }.first ?? path]
  }
}
