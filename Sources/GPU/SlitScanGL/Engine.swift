// The engine implements slitscan-engine.h for textures, which the C element calls, on the actor of the effect on the GPU.
//
// Everything that comes from C is checked or converted here, before the effect sees it. Nothing in
// this file may trap: a trap would end the application that the element is loaded into.
//
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSlitScanEngine
import CSlitScanSettings
import SlitScan
import SlitScanElement

/// A new scanner, owned by the caller until ``slit_scan_gl_engine_free(_:)``; nil where the context is too old.
@c @implementation
public func slit_scan_gl_engine_new(
  _ context: UnsafeMutableRawPointer, _ error: UnsafeMutablePointer<SlitScanError>
) -> OpaquePointer? {
  var engine: OpaquePointer?
  _ = unsafe error.attempt { () throws(ScanError) in
    let scanner = try TextureScanner(context: UInt(bitPattern: context))
    unsafe engine = OpaquePointer(Unmanaged.passRetained(scanner).toOpaque())
  }
  return unsafe engine
}

/// Ends what ``slit_scan_gl_engine_new(_:_:)`` made, and deletes its textures.
@c @implementation
public func slit_scan_gl_engine_free(_ engine: OpaquePointer) {
  unsafe scanner(engine).close()
  unsafe Unmanaged<TextureScanner>.fromOpaque(UnsafeRawPointer(engine)).release()
}

/// Announces the layout of the frames and the size of the output.
@c @implementation
public func slit_scan_gl_engine_configure(
  _ engine: OpaquePointer, _ layout: UnsafePointer<SlitScanLayout>, _ outputWidth: Int32,
  _ outputHeight: Int32, _ settings: UnsafePointer<SlitScanSettings>,
  _ error: UnsafeMutablePointer<SlitScanError>
) -> Bool {
  unsafe error.attempt { () throws(ScanError) in
    let output = try unsafe scanner(engine).configure(
      input: FrameLayout(layout.pointee), settings: ScanSettings(settings.pointee))
    try output.require(width: outputWidth, height: outputHeight)
  }
}

/// Takes a frame in, or goes on as if the last one came again, and draws the output, if there is a target.
@c @implementation
public func slit_scan_gl_engine_process(
  _ engine: OpaquePointer, _ source: UnsafePointer<SlitScanTextures>?,
  _ target: UnsafePointer<SlitScanTextures>?, _ time: UInt64,
  _ settings: UnsafePointer<SlitScanSettings>, _ report: UnsafeMutablePointer<SlitScanReport>,
  _ error: UnsafeMutablePointer<SlitScanError>
) -> Bool {
  unsafe error.attempt { () throws(ScanError) in
    let settings = unsafe ScanSettings(settings.pointee)
    if let source = unsafe source {
      unsafe report.pointee = SlitScanReport(
        try scanner(engine).scan(
          FrameTextures(source.pointee), into: target.map { unsafe FrameTextures($0.pointee) },
          time: time, settings: settings))
    } else if let target = unsafe target {
      unsafe report.pointee = SlitScanReport(
        try scanner(engine).repeatLast(
          into: FrameTextures(target.pointee), time: time, settings: settings))
    }
  }
}

/// Gives the image of a map in system memory, or forgets it.
@c @implementation
public func slit_scan_gl_engine_set_map(
  _ engine: OpaquePointer, _ map: SlitScanMap, _ layout: UnsafePointer<SlitScanLayout>?,
  _ image: UnsafePointer<SlitScanFrame>?, _ error: UnsafeMutablePointer<SlitScanError>
) -> Bool {
  guard let layout = unsafe layout, let image = unsafe image else {
    unsafe scanner(engine).forgetMapImage(MapImageRole(map))
    return true
  }
  return unsafe error.attempt { () throws(ScanError) in
    try unsafe scanner(engine).setMapImage(
      FrameSpan(image.pointee), layout: FrameLayout(layout.pointee), as: MapImageRole(map))
  }
}

/// Gives the image of a map in textures.
@c @implementation
public func slit_scan_gl_engine_set_map_textures(
  _ engine: OpaquePointer, _ map: SlitScanMap, _ layout: UnsafePointer<SlitScanLayout>,
  _ image: UnsafePointer<SlitScanTextures>, _ error: UnsafeMutablePointer<SlitScanError>
) -> Bool {
  unsafe error.attempt { () throws(ScanError) in
    try unsafe scanner(engine).setMapImage(
      FrameTextures(image.pointee), layout: FrameLayout(layout.pointee), as: MapImageRole(map))
  }
}

/// Draws the last output again, or a frame of the input as it came, if it has this layout.
@c @implementation
public func slit_scan_gl_engine_redraw(
  _ engine: OpaquePointer, _ layout: UnsafePointer<SlitScanLayout>,
  _ time: UnsafeMutablePointer<UInt64>?, _ target: UnsafePointer<SlitScanTextures>
) -> Bool {
  let output = unsafe FrameTextures(target.pointee)
  do throws(ScanError) {
    let layout = try unsafe FrameLayout(layout.pointee)
    guard let time = unsafe time else {
      try unsafe scanner(engine).redraw(into: output, layout: layout)
      return true
    }
    guard
      let drawn = try unsafe scanner(engine).drawInput(
        from: time.pointee, into: output, layout: layout)
    else { return false }
    unsafe time.pointee = drawn
    return true
  } catch {
    return false
  }
}

/// Draws how old each pixel of the last output is, into memory of the system.
@c @implementation
public func slit_scan_gl_engine_draw_ages(
  _ engine: OpaquePointer, _ target: UnsafePointer<SlitScanFrame>,
  _ error: UnsafeMutablePointer<SlitScanError>
) -> Bool {
  unsafe error.attempt { () throws(ScanError) in
    var ages = unsafe MutableFrameSpan(target.pointee)
    try unsafe scanner(engine).drawAges(into: &ages)
  }
}

/// Forgets all frames; their memory stays for the next ones.
@c @implementation
public func slit_scan_gl_engine_forget(_ engine: OpaquePointer) {
  unsafe scanner(engine).forget()
}

/// The scanner behind the handle; the caller keeps it alive.
private func scanner(_ engine: OpaquePointer) -> TextureScanner {
  unsafe Unmanaged<TextureScanner>.fromOpaque(UnsafeRawPointer(engine)).takeUnretainedValue()
}

extension FrameTextures {
  /// The textures that the element gives.
  fileprivate init(_ textures: SlitScanTextures) {
    self.init(
      names: SIMD4(textures.names.0, textures.names.1, textures.names.2, textures.names.3),
      formats: SIMD4(
        textures.formats.0, textures.formats.1, textures.formats.2, textures.formats.3),
      widths: SIMD4(textures.widths.0, textures.widths.1, textures.widths.2, textures.widths.3),
      heights: SIMD4(
        textures.heights.0, textures.heights.1, textures.heights.2, textures.heights.3))
  }
}
