// Device changes report cameras, microphones and screens that are connected and disconnected.

import CGStreamer
import StreamingThread

/// A device that came or went.
public enum DeviceChange: Sendable, Hashable {
  /// It can be used from now on.
  case added(Device)
  /// It is gone.
  case removed(Device)
}

extension DeviceMonitor {
  /// The devices that there are now, and those that come and go from then on.
  ///
  /// They are those that plugins tell of: Video4Linux by udev, PipeWire, and others. The plugins are asked as
  /// long as the process runs.
  ///
  /// - Parameter deviceClass: What they are, as `Video/Source`.
  /// - Throws: ``GStreamerError/Code/outOfMemory``, ``GStreamerError/Code/refused`` where no plugin tells of
  ///   such devices.
  public func changes(
    of deviceClass: String
  ) throws(GStreamerError) -> (devices: [Device], changes: AsyncStream<DeviceChange>) {
    let monitor = try Self.makeMonitor(deviceClass, nil)
    let (changes, continuation) = AsyncStream.makeStream(
      of: DeviceChange.self, bufferingPolicy: .bufferingNewest(100))
    let listener = DeviceListener(continuation)
    let isStarted = unsafe monitor.with(GstDeviceMonitor.self) { monitor in
      guard let bus = unsafe gst_device_monitor_get_bus(monitor) else { return false }
      unsafe gst_bus_set_sync_handler(
        bus, receiveDevice, CallbackContext.retain(listener), releaseContext)
      unsafe gst_object_unref(bus)
      return unsafe gst_device_monitor_start(monitor) != 0
    }
    guard isStarted else {
      throw GStreamerError(.refused, "No plugin tells of devices of the class \(deviceClass).")
    }
    // Never stopped: PipeWire's plugin then removes devices that it has freed before (0.3.65).
    Self.running.withLock { $0.append(monitor) }
    let devices = Self.devices(of: monitor)
    listener.begin(after: devices)
    return (devices, changes)
  }

  private static let running = Lock<[ObjectReference]>([])
}

/// Passes on what a monitor posts.
private final class DeviceListener: Sendable {
  private let continuation: AsyncStream<DeviceChange>.Continuation
  /// The devices that were there at the beginning and have not gone since, of which plugins tell, too; nil
  /// until they are known.
  private let known = Lock<(devices: Set<Device>?, early: [DeviceChange])>((nil, []))

  init(_ continuation: AsyncStream<DeviceChange>.Continuation) { self.continuation = continuation }

  func begin(after devices: [Device]) {
    let early = known.withLock { known in
      defer { known = (Set(devices), []) }
      return known.early
    }
    for change in early { receive(change) }
  }

  func receive(_ change: DeviceChange) {
    let isNews = known.withLock { known in
      guard known.devices != nil else {
        known.early.append(change)
        return false
      }
      switch change {
      case .added(let device): return known.devices?.insert(device).inserted == true
      case .removed(let device): return known.devices?.remove(device) != nil
      }
    }
    if isNews { continuation.yield(change) }
  }
}

/// A `GstBusSyncHandler`.
private func receiveDevice(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?,
  _ data: gpointer?
) -> GstBusSyncReply {
  guard let message = unsafe message else { return GST_BUS_DROP }
  defer { unsafe unref(message) }
  var device: UnsafeMutablePointer<GstDevice>?
  let isAdded: Bool
  switch unsafe message.pointee.type {
  case GST_MESSAGE_DEVICE_ADDED:
    unsafe gst_message_parse_device_added(message, &device)
    isAdded = true
  case GST_MESSAGE_DEVICE_REMOVED:
    unsafe gst_message_parse_device_removed(message, &device)
    isAdded = false
  default: return GST_BUS_DROP
  }
  guard let device = unsafe device else { return GST_BUS_DROP }
  let found = unsafe Device(ObjectReference(taking: device))
  unsafe CallbackContext<DeviceListener>.object(data)?.receive(
    isAdded ? .added(found) : .removed(found))
  return GST_BUS_DROP
}
