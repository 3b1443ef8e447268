// Counts waits for a map that timed out, by the debug log; the duration of a test would not tell.

import CGStreamer
import GStreamer
import StreamingThread

/// The pads that waited in vain, by their paths.
private final class VainWaits: Sendable {
  let paths = Lock([String]())

  static let all: VainWaits = {
    let all = VainWaits()
    unsafe gst_debug_add_log_function(
      recordLog, Unmanaged.passRetained(all).toOpaque(), nil)
    unsafe gst_debug_set_threshold_for_name("slitscan", GST_LEVEL_WARNING)
    return all
  }()
}

private func recordLog(
  _ category: UnsafeMutablePointer<GstDebugCategory>?, _ level: GstDebugLevel,
  _ file: UnsafePointer<gchar>?, _ function: UnsafePointer<gchar>?, _ line: gint,
  _ object: UnsafeMutablePointer<GObject>?, _ message: OpaquePointer?, _ data: gpointer?
) {
  guard let data = unsafe data, let object = unsafe object,
    let text = unsafe gst_debug_message_get(message),
    unsafe String(cString: text).hasPrefix("nothing has come for")
  else { return }
  let path = unsafe pathOf(UnsafeMutableRawPointer(object))
  unsafe Unmanaged<VainWaits>.fromOpaque(data).takeUnretainedValue()
    .paths.withLock { $0.append(path) }
}

/// Where an object is, from the pipeline on.
private func pathOf(_ object: UnsafeMutableRawPointer) -> String {
  guard
    let path = unsafe gst_object_get_path_string(object.assumingMemoryBound(to: GstObject.self))
  else { return "" }
  defer { unsafe g_free(path) }
  return unsafe String(cString: path)
}

extension TestPipeline {
  /// Notices waits in vain from now on.
  func noticeVainWaits() { _ = VainWaits.all }

  /// Whether slitscan lost its patience with its map.
  func hasWaitedInVain() throws -> Bool {
    let path = scan.description
    return VainWaits.all.paths.withLock { $0.contains { $0.hasPrefix(path + ".") } }
  }
}
