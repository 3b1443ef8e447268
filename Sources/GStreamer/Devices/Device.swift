// A device is a camera, a microphone or a screen that GStreamer has found.

import CGStreamer

/// A device that a plugin has found, which may be gone by now.
///
/// A reference: copies are the same device, and equal.
public struct Device: Sendable, Hashable, CustomStringConvertible {
  private let object: ObjectReference

  init(_ object: ObjectReference) { self.object = object }

  /// The name for people, as `USB Camera`.
  public var name: String {
    unsafe withGstDevice { unsafe ownedString(gst_device_get_display_name($0)) ?? "" }
  }

  /// The device class, such as `Video/Source`.
  public var deviceClass: String {
    unsafe withGstDevice { unsafe ownedString(gst_device_get_device_class($0)) ?? "" }
  }

  /// The caps that it supports, nil if unknown.
  public var caps: Caps? {
    unsafe withGstDevice { device in
      unsafe gst_device_get_caps(device).map { unsafe Caps(MiniObject(taking: $0)) }
    }
  }

  /// Its properties by its plugin, as `device.path` or `api.v4l2.path`; nil if there are none.
  public var properties: Structure? {
    unsafe withGstDevice { device in
      guard let properties = unsafe gst_device_get_properties(device) else { return nil }
      defer { unsafe gst_structure_free(properties) }
      return unsafe Structure(copying: properties)
    }
  }

  /// A new element for it, a source or a sink.
  ///
  /// - Throws: ``GStreamerError/Code/refused`` where the plugin makes none.
  public func makeElement(name: String? = nil) throws(GStreamerError) -> Element {
    let element = unsafe withGstDevice { device in
      unsafe gst_device_create_element(device, name).map {
        unsafe Element(ObjectReference(retaining: $0))
      }
    }
    guard let element else {
      throw GStreamerError(.refused, "No element can be created for \(self.name).")
    }
    return element
  }

  /// The name for people.
  public var description: String { name }

  private func withGstDevice<Result>(_ body: (UnsafeMutablePointer<GstDevice>) -> Result) -> Result
  {
    unsafe object.with(GstDevice.self, body)
  }
}
