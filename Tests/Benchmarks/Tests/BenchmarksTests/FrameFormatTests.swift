// Tests that the formats of the benchmarks are GStreamer's.

import CGStreamer
import SlitScan
import Testing

@testable import Benchmarks

struct FrameFormatTests {
  @Test(arguments: FrameFormat.allCases)
  func componentsLieWhereGStreamerHasThem(format: FrameFormat) throws {
    let info = try #require(
      gst_video_format_get_info(cgst_video_format_from_string(format.rawValue))
    )
    .pointee
    let layout = try format.layout(FrameSize(width: 64, height: 48))
    let components = layout.components.filter { $0.role != .padding }
    #expect(components.count == Int(info.n_components))
    // GStreamer 1.22 counts samples here, not bytes.
    let offsetUnit = format == .p010 ? 2 : 1
    let planes = values(info.plane)
    let offsets = values(info.poffset)
    let steps = values(info.pixel_stride)
    let widths = values(info.w_sub)
    let heights = values(info.h_sub)
    let depths = values(info.depth)
    let shifts = values(info.shift)
    for (index, component) in components.enumerated() {
      #expect(component.plane == Int(planes[index]))
      let offset = Int(offsets[index]) * offsetUnit
      #expect(component.offset == offset)
      #expect(component.step == Int(steps[index]))
      #expect(component.xShift == Int(widths[index]))
      #expect(component.yShift == Int(heights[index]))
      #expect(component.bytes == (depths[index] > 8 ? 2 : 1))
      #expect(component.unusedBits == Int(shifts[index]))
      let values: UInt32 = (1 << depths[index]) - 1
      #expect(UInt32(format.sampleMask) == values << shifts[index])
    }
    #expect(layout.isRGB == (info.flags.rawValue & GST_VIDEO_FORMAT_FLAG_RGB.rawValue != 0))
  }

  private func values<Number>(_ four: (Number, Number, Number, Number)) -> [Number] {
    [four.0, four.1, four.2, four.3]
  }

  @Test func framesDiffer() throws {
    let layout = try FrameFormat.i420With10Bits.layout(FrameSize(width: 33, height: 17))
    let frames = (0..<6).map { number in
      Frame(layout, format: .i420With10Bits, number: number).withBytes { Array($0) }
    }
    #expect(Set(frames).count == 6)
    // No sample has more bits than it may.
    for frame in frames {
      #expect(stride(from: 1, to: frame.count, by: 2).allSatisfy { frame[$0] < 4 })
    }
  }
}
