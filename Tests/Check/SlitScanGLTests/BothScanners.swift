// Both scanners: the effect on the GPU and on the processor, given the same frames and settings.

import CGStreamerGL
import COpenGL
import Foundation

@testable import SlitScan
@testable import SlitScanGL

/// The bytes of a frame's planes.
struct FrameBytes: Equatable {
  let layout: FrameLayout
  var planes: [[UInt8]]

  init(_ layout: FrameLayout) {
    self.layout = layout
    planes = layout.planes.map { [UInt8](repeating: 0, count: $0.rowBytes * $0.cellsHigh) }
  }

  /// Random samples, the unused bits 0.
  init(_ layout: FrameLayout, using random: inout some RandomNumberGenerator) {
    self.init(layout)
    for (index, plane) in layout.planes.enumerated() {
      for byte in planes[index].indices {
        planes[index][byte] = random.next(upperBound: 255 as UInt8)
      }
      guard plane.sampleBytes == 2, plane.unusedBits > 0 else { continue }
      for low in stride(from: layout.isBigEndian ? 1 : 0, to: planes[index].count, by: 2) {
        planes[index][low] &= UInt8(truncatingIfNeeded: 0xff << plane.unusedBits)
      }
    }
  }

  /// Something with detail of many sizes, which has moved by so many pixels.
  init(_ layout: FrameLayout, movedBy way: SIMD2<Double>) {
    self.init(layout)
    for component in layout.components where component.role != .padding {
      let rowBytes = layout.planes[component.plane].rowBytes
      for row in 0..<layout.samplesHigh(component) {
        for column in 0..<layout.samplesWide(component) {
          let x = (Double(column) + 0.5) * Double(1 << component.xShift) - way.x
          let y = (Double(row) + 0.5) * Double(1 << component.yShift) - way.y
          let level =
            0.5 + 0.2 * sin(x / 11 + 2 * sin(y / 17)) + 0.15 * sin(y / 7 + sin(x / 23))
            + 0.1 * sin(x / 4 + y / 5)
          let full = component.bytes == 1 ? 255.0 : 65_535
          let word = (Int(level * full) >> component.unusedBits) << component.unusedBits
          let byte = row * rowBytes + component.offset + column * component.step
          if component.bytes == 1 {
            planes[component.plane][byte] = UInt8(word)
          } else {
            planes[component.plane][byte + (layout.isBigEndian ? 1 : 0)] = UInt8(word & 255)
            planes[component.plane][byte + (layout.isBigEndian ? 0 : 1)] = UInt8(word >> 8)
          }
        }
      }
    }
  }

  /// Gives `body` the frame to read.
  func read<Value>(
    _ layout: FrameLayout, _ body: (borrowing FrameSpan) throws -> Value
  ) rethrows -> Value {
    let empty: [UInt8] = []
    let plane0 = planes[0]
    let plane1 = planes.count > 1 ? planes[1] : empty
    let plane2 = planes.count > 2 ? planes[2] : empty
    let plane3 = planes.count > 3 ? planes[3] : empty
    var strides = InlineArray<4, Int>(repeating: 0)
    for (index, plane) in layout.planes.enumerated() { strides[index] = plane.rowBytes }
    let frame = FrameSpan(
      plane0.span.bytes, plane1.span.bytes, plane2.span.bytes, plane3.span.bytes,
      strides: strides)
    return try body(frame)
  }

  /// Gives `body` the frame to write.
  mutating func write<Value>(
    _ layout: FrameLayout, _ body: (inout MutableFrameSpan) throws -> Value
  ) rethrows -> Value {
    var plane0 = planes[0]
    var plane1 = planes.count > 1 ? planes[1] : []
    var plane2 = planes.count > 2 ? planes[2] : []
    var plane3 = planes.count > 3 ? planes[3] : []
    var strides = InlineArray<4, Int>(repeating: 0)
    for (index, plane) in layout.planes.enumerated() { strides[index] = plane.rowBytes }
    defer { planes = Array([plane0, plane1, plane2, plane3].prefix(planes.count)) }
    var span0 = plane0.mutableSpan
    var span1 = plane1.mutableSpan
    var span2 = plane2.mutableSpan
    var span3 = plane3.mutableSpan
    var frame = unsafe MutableFrameSpan(
      span0.mutableBytes, span1.mutableBytes, span2.mutableBytes, span3.mutableBytes,
      strides: strides)
    return try body(&frame)
  }
}

/// A frame in textures, as GStreamer would upload it.
final class UploadedFrame {
  private let context: UnsafeMutablePointer<GstGLContext>
  private let textures: [Texture]
  let names: FrameTextures

  init(
    _ bytes: FrameBytes, _ format: TestFormat, _ layout: FrameLayout, _ gl: GL,
    _ context: UnsafeMutablePointer<GstGLContext>
  ) throws {
    unsafe self.context = context
    var textures: [Texture] = []
    var names = FrameTextures(names: .zero, formats: .zero, widths: .zero, heights: .zero)
    for (index, plane) in layout.planes.enumerated() {
      let name = format.textures[index]
      guard let texel = TexelFormat(UInt32(name)),
        let texture = gl.makeTexture(
          texel, width: format.texelsWide(plane, layout, texel), height: plane.cellsHigh)
      else { throw ScanError.notConfigured }
      // The part of an odd row of packed 4:2:2 that has no texel of its own is not uploaded.
      let rowBytes = texture.width * texel.texelBytes
      let rows = (0..<plane.cellsHigh).flatMap { row in
        bytes.planes[index][(row * plane.rowBytes)..<(row * plane.rowBytes + rowBytes)]
      }
      gl.upload(rows.span, to: texture, rows: texture.height)
      names.names[index] = texture.name
      names.formats[index] = UInt32(name)
      names.widths[index] = Int32(texture.width)
      names.heights[index] = Int32(texture.height)
      textures.append(texture)
    }
    self.textures = textures
    self.names = names
  }

  /// The bytes of the textures.
  func download(_ layout: FrameLayout) -> FrameBytes {
    var bytes = FrameBytes(layout)
    guard let functions = unsafe context.pointee.gl_vtable else { return bytes }
    let gl = unsafe functions.pointee
    var framebuffer: UInt32 = 0
    unsafe gl.GenFramebuffers(1, &framebuffer)
    gl.BindFramebuffer(UInt32(GL_FRAMEBUFFER), framebuffer)
    gl.PixelStorei(UInt32(GL_PACK_ALIGNMENT), 1)
    gl.PixelStorei(UInt32(GL_PACK_ROW_LENGTH), 0)
    defer {
      // Row lengths are left behind, as by GStreamer 1.26.
      gl.PixelStorei(UInt32(GL_PACK_ROW_LENGTH), 1000)
      gl.PixelStorei(UInt32(GL_UNPACK_ROW_LENGTH), 1000)
    }
    for (index, texture) in textures.enumerated() {
      gl.FramebufferTexture2D(
        UInt32(GL_FRAMEBUFFER), UInt32(GL_COLOR_ATTACHMENT0), UInt32(GL_TEXTURE_2D), texture.name, 0
      )
      // Four channels, whatever there are: OpenGL ES gives nothing else.
      let texelBytes = 4 * texture.format.channelBytes
      var texels = [UInt8](repeating: 0, count: texture.width * texelBytes * texture.height)
      unsafe texels.withUnsafeMutableBytes {
        unsafe gl.ReadPixels(
          0, 0, Int32(texture.width), Int32(texture.height), UInt32(GL_RGBA), texture.format.type,
          $0.baseAddress)
      }
      let rowBytes = texture.width * texture.format.texelBytes
      var rows: [UInt8] = []
      rows.reserveCapacity(rowBytes * texture.height)
      for start in stride(from: 0, to: texels.count, by: texelBytes) {
        rows += texels[start..<start + texture.format.texelBytes]
      }
      let stride = layout.planes[index].rowBytes
      for row in 0..<texture.height {
        bytes.planes[index].replaceSubrange(
          (row * stride)..<(row * stride + rowBytes),
          with: rows[(row * rowBytes)..<((row + 1) * rowBytes)])
      }
    }
    gl.PixelStorei(UInt32(GL_PACK_ALIGNMENT), 4)
    gl.BindFramebuffer(UInt32(GL_FRAMEBUFFER), 0)
    unsafe gl.DeleteFramebuffers(1, &framebuffer)
    return bytes
  }
}

extension TestFormat {
  /// An even width where two pixels share a cell: GStreamer's textures have no room for V of half a pair.
  func wholeTexels(_ width: Int) -> Int {
    ["YUY2", "UYVY", "Y210"].contains(description) ? width + width % 2 : width
  }

  /// Texels in a row: of packed 4:2:2, GStreamer uploads one for each pixel.
  func texelsWide(_ plane: FrameLayout.Plane, _ layout: FrameLayout, _ texel: TexelFormat) -> Int {
    plane.cellBytes > texel.texelBytes ? layout.width : plane.rowBytes / texel.texelBytes
  }
}

extension FrameBytes {
  /// These bytes, 0 where a row has no whole texel.
  func uploaded(_ layout: FrameLayout, _ format: TestFormat) -> FrameBytes {
    var result = self
    for (index, plane) in layout.planes.enumerated() {
      guard let texel = TexelFormat(UInt32(format.textures[index])) else { continue }
      for row in 0..<plane.cellsHigh {
        let rowBytes = format.texelsWide(plane, layout, texel) * texel.texelBytes
        for byte in rowBytes..<plane.rowBytes {
          result.planes[index][row * plane.rowBytes + byte] = 0
        }
      }
    }
    return result
  }
}

/// Both scanners, on the thread of the context.
struct BothScanners {
  let format: TestFormat
  let input: FrameLayout
  private(set) var output: FrameLayout
  private let context: UnsafeMutablePointer<GstGLContext>
  private let gl: GL
  private let processor = SlitScanner()
  private let graphics: TextureScanner

  init(
    _ context: UnsafeMutablePointer<GstGLContext>, _ format: TestFormat, width: Int, height: Int,
    settings: ScanSettings
  ) throws {
    unsafe self.context = context
    self.format = format
    input = try format.layout(width: width, height: height)
    gl = try unsafe GL(UnsafeMutableRawPointer(context))
    graphics = try TextureScanner(context: UInt(bitPattern: context))
    output = input
    try configure(settings)
  }

  func close() {
    graphics.close()
    gl.close()
  }

  mutating func configure(_ settings: ScanSettings) throws {
    output = try processor.configure(input: input, settings: settings)
    let other = try graphics.configure(input: input, settings: settings)
    guard other == output else { throw ScanError.notConfigured }
  }

  /// The results of both: the bytes, where anything was drawn, and the reports.
  struct Answers {
    var expected: FrameBytes?
    var drawn: FrameBytes?
    var reports: (processor: FrameReport, graphics: FrameReport)
  }

  /// Gives both a frame; nil for the last one again.
  func pass(
    _ frame: FrameBytes?, draws: Bool = true, time: UInt64, settings: ScanSettings
  ) throws -> Answers {
    var expected = FrameBytes(output)
    let target = try unsafe UploadedFrame(expected, format, output, gl, context)
    let one: FrameReport
    let two: FrameReport
    if let frame {
      let source = try unsafe UploadedFrame(frame, format, input, gl, context)
      two = try graphics.scan(
        source.names, into: draws ? target.names : nil, time: time, settings: settings)
      one = try frame.read(input) { span in
        guard draws else { return try processor.absorb(span, time: time, settings: settings) }
        return try expected.write(output) {
          try processor.scan(span, into: &$0, time: time, settings: settings)
        }
      }
    } else {
      one = try expected.write(output) {
        try processor.repeatLast(into: &$0, time: time, settings: settings)
      }
      two = try graphics.repeatLast(into: target.names, time: time, settings: settings)
    }
    guard draws else { return Answers(reports: (one, two)) }
    return Answers(
      expected: expected.uploaded(output, format), drawn: target.download(output),
      reports: (one, two))
  }

  /// Has both draw the last output again.
  func redraw() throws -> Answers {
    var expected = FrameBytes(output)
    let target = try unsafe UploadedFrame(expected, format, output, gl, context)
    try expected.write(output) { try processor.redraw(into: &$0, layout: output) }
    try graphics.redraw(into: target.names, layout: output)
    return Answers(
      expected: expected.uploaded(output, format), drawn: target.download(output),
      reports: (FrameReport(), FrameReport()))
  }

  /// Gives both a map's image; on the GPU in textures or in memory.
  func setMap(
    _ image: FrameBytes, _ layout: FrameLayout, as role: MapImageRole, inTextures: Bool
  ) throws {
    try image.read(layout) { try processor.setMapImage($0, layout: layout, as: role) }
    if inTextures {
      let source = try unsafe UploadedFrame(image, format, layout, gl, context)
      try graphics.setMapImage(source.names, layout: layout, as: role)
    } else {
      try image.read(layout) { try graphics.setMapImage($0, layout: layout, as: role) }
    }
  }

  func forget() {
    processor.forget()
    graphics.forget()
  }
}
