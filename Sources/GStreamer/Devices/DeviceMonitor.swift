// The device monitor lists cameras, microphones and screens.

import CGStreamer

/// Finds devices, on a thread of its own: asking drivers and services can take a while.
///
/// ```swift
/// for camera in try await DeviceMonitor().devices(of: "Video/Source") { print(camera) }
/// ```
public actor DeviceMonitor {
  private let thread: ControlThread

  /// The thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// A monitor, which has not asked any device provider yet.
  ///
  /// - Throws: ``GStreamerError/Code/notStarted``, ``GStreamerError/Code/outOfMemory``.
  public init() throws(GStreamerError) {
    try Runtime.start()
    thread = try ControlThread()
  }

  /// The devices that there are now, in the order in which the plugins name them.
  ///
  /// - Parameters:
  ///   - deviceClass: What they are, as `Video/Source` or `Audio/Source`.
  ///   - caps: What they must be able to give or take, nil for anything.
  /// - Throws: ``GStreamerError/Code/outOfMemory``.
  public func devices(
    of deviceClass: String, caps: Caps? = nil
  ) throws(GStreamerError) -> [Device] {
    Self.devices(of: try Self.makeMonitor(deviceClass, caps))
  }

  static func makeMonitor(
    _ deviceClass: String, _ caps: Caps?
  ) throws(GStreamerError) -> ObjectReference {
    guard let made = unsafe gst_device_monitor_new() else {
      throw GStreamerError(.outOfMemory, "There is not enough memory for a device monitor.")
    }
    let monitor = unsafe ObjectReference(taking: made)
    unsafe monitor.with(GstDeviceMonitor.self) { monitor in
      if let caps {
        _ = unsafe caps.withGstCaps {
          unsafe gst_device_monitor_add_filter(monitor, deviceClass, $0)
        }
      } else {
        _ = unsafe gst_device_monitor_add_filter(monitor, deviceClass, nil)
      }
    }
    return monitor
  }

  static func devices(of monitor: ObjectReference) -> [Device] {
    unsafe monitor.with(GstDeviceMonitor.self) { monitor in
      let list = unsafe gst_device_monitor_get_devices(monitor)
      defer { unsafe g_list_free(list) }
      // The list hands its references over.
      return unsafe items(of: list) { unsafe Device(ObjectReference(taking: $0)) }
    }
  }
}
