// GStreamer's description of a format, with the mistakes of its table corrected.

import CGStreamer
import ElementUnderTest
import Reference

extension FormatDescription {
  /// The format of caps.
  init(_ info: GstVideoInfo) throws {
    let format = unsafe info.finfo.pointee
    let name = unsafe String(cString: format.name)
    func hasFlag(_ flag: GstVideoFormatFlags) -> Bool {
      unsafe format.flags.rawValue & flag.rawValue != 0
    }

    let colors: Colors
    if hasFlag(GST_VIDEO_FORMAT_FLAG_RGB) {
      colors = .rgb
    } else {
      colors = hasFlag(GST_VIDEO_FORMAT_FLAG_GRAY) ? .gray : .yuv
    }

    let components = unsafe (0..<Int(format.n_components)).map { number in
      let depth = unsafe Int(element(number, of: format.depth))
      let shift = unsafe Int(element(number, of: format.shift))
      return unsafe Component(
        plane: Int(element(number, of: format.plane)),
        offset: Int(element(number, of: format.poffset)),
        step: Int(element(number, of: format.pixel_stride)),
        bytes: depth + shift > 8 ? 2 : 1,
        isBigEndian: !hasFlag(GST_VIDEO_FORMAT_FLAG_LE), depth: depth, shift: shift,
        columnsPerSample: 1 << Int(element(number, of: format.w_sub)),
        rowsPerSample: 1 << Int(element(number, of: format.h_sub)))
    }
    var (red, blue) = (0.0, 0.0)
    unsafe gst_video_color_matrix_get_Kr_Kb(info.colorimetry.matrix, &red, &blue)
    self.init(
      colors: colors,
      isFullRange: unsafe info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255,
      lumaShares: (red, blue),
      components: components)
    correctTable(of: name)
  }

  /// GStreamer 1.22's table is wrong about these; its pack functions are right, and
  /// `FormatDescriptionTests` asks them.
  private mutating func correctTable(of name: String) {
    func correct(_ offsets: [Int], _ change: (inout Component) -> Void = { _ in }) {
      for (number, offset) in offsets.enumerated() {
        components[number].offset = offset
        change(&components[number])
      }
    }
    switch name {
    case "P010_10LE", "P010_10BE", "P012_LE", "P012_BE", "P016_LE", "P016_BE":
      components[2].offset = 2
    case "Y212_LE", "Y212_BE": correct([0, 2, 6])
    case "Y210":
      correct([0, 2, 6]) {
        $0.shift = 6
        $0.isBigEndian = false
      }
    case "Y412_LE", "Y412_BE":
      correct([2, 0, 4, 6])
    case "v216":
      correct([2, 0, 4]) { $0.isBigEndian = false }
    case "VYUY":
      correct([1, 2, 0])
    default:
      break
    }
  }
}

/// The formats of the element's sink template, by name.
func supportedFormats() -> [String] {
  guard ElementUnderTest.isRegistered,
    let factory = unsafe gst_element_factory_find(ElementUnderTest.name)
  else {
    return []
  }
  defer { unsafe gst_object_unref(UnsafeMutableRawPointer(factory)) }
  var rest = unsafe gst_element_factory_get_static_pad_templates(factory)
  while let node = unsafe rest {
    unsafe rest = UnsafePointer(node.pointee.next)
    guard
      let template = unsafe node.pointee.data?.assumingMemoryBound(to: GstStaticPadTemplate.self),
      unsafe template.pointee.direction == GST_PAD_SINK
    else { continue }
    return unsafe formats(of: template)
  }
  return []
}

private func formats(of template: UnsafeMutablePointer<GstStaticPadTemplate>) -> [String] {
  let caps = unsafe gst_static_pad_template_get_caps(template)
  defer { unsafe gst_caps_unref(caps) }
  let list = unsafe gst_structure_get_value(gst_caps_get_structure(caps, 0), "format")
  return unsafe (0..<gst_value_list_get_size(list)).compactMap { index -> String? in
    guard let name = unsafe g_value_get_string(gst_value_list_get_value(list, index)) else {
      return nil
    }
    return unsafe String(cString: name)
  }
}
