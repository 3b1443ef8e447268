// The pad `age` of the element in the harness.

import CGStreamer
import CGStreamerCheck
import Reference

extension SlitScanHarness {
  /// Requests the pad `age`, which a bin has as its own.
  func requestAges() throws {
    guard let pad = unsafe gst_element_request_pad_simple(element, "age") else {
      throw HarnessError(description: "there is no pad age")
    }
    defer { unsafe gst_object_unref(pad) }
    if unsafe element != whole {
      guard let ghost = unsafe gst_ghost_pad_new("age", pad) else {
        throw HarnessError(description: "a bin cannot have the pad age")
      }
      unsafe gst_pad_set_active(ghost, 1)
      unsafe gst_element_add_pad(whole, ghost)
    }
    unsafe ages = gst_harness_new_with_element(whole, nil, "age")
  }

  /// Gives the pad `age` up.
  func releaseAges() {
    guard let ages = unsafe ages else { return }
    unsafe self.ages = nil
    unsafe gst_harness_teardown(ages)
    if unsafe element != whole, let ghost = unsafe gst_element_get_static_pad(whole, "age") {
      unsafe gst_element_remove_pad(whole, ghost)
      unsafe gst_object_unref(ghost)
    }
    if let pad = unsafe gst_element_get_static_pad(element, "age") {
      unsafe gst_element_release_request_pad(element, pad)
      unsafe gst_object_unref(pad)
    }
  }

  /// The ages that came out since the last time: rows, and the times of their frames.
  func pullAges() throws -> [(rows: [[UInt16]], time: UInt64)] {
    guard let ages = unsafe ages else { return [] }
    var pulled: [(rows: [[UInt16]], time: UInt64)] = []
    while let buffer = unsafe gst_harness_try_pull(ages) {
      defer { unsafe gst_buffer_unref(buffer) }
      var info = try unsafe outputInfo(of: ages)
      let format = try unsafe FormatDescription(info)
      let planes = try unsafe planes(of: buffer, info: &info, format: format)
      let (width, height) = unsafe (Int(info.width), Int(info.height))
      let samples = Frame(width: width, height: height, planes: planes, format: format).samples[0]
      let rows = (0..<height).map { Array(samples[($0 * width)..<(($0 + 1) * width)]) }
      unsafe pulled.append((rows, UInt64(buffer.pointee.pts)))
    }
    return pulled
  }
}
