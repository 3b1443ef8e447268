// The engine implements slitscan-engine.h, which the C element calls, on the effect's actor.
//
// Everything that comes from C is checked or converted here, before the effect sees it. Nothing in
// this file may trap: a trap would end the application that the element is loaded into.
//
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSlitScanEngine
import SlitScan

/// A new scanner, owned by the caller until ``slit_scan_engine_free(_:)``.
@c @implementation
public func slit_scan_engine_new() -> OpaquePointer {
  unsafe OpaquePointer(Unmanaged.passRetained(SlitScanner()).toOpaque())
}

/// Ends what ``slit_scan_engine_new()`` made.
@c @implementation
public func slit_scan_engine_free(_ engine: OpaquePointer) {
  unsafe Unmanaged<SlitScanner>.fromOpaque(UnsafeRawPointer(engine)).release()
}

/// Announces the layout of the frames and the size of the output.
@c @implementation
public func slit_scan_engine_configure(
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
public func slit_scan_engine_process(
  _ engine: OpaquePointer, _ source: UnsafePointer<SlitScanFrame>?,
  _ target: UnsafePointer<SlitScanFrame>?, _ time: UInt64,
  _ settings: UnsafePointer<SlitScanSettings>, _ report: UnsafeMutablePointer<SlitScanReport>,
  _ error: UnsafeMutablePointer<SlitScanError>
) -> Bool {
  unsafe error.attempt { () throws(ScanError) in
    let settings = unsafe ScanSettings(settings.pointee)
    if let target = unsafe target {
      var output = unsafe MutableFrameSpan(target.pointee)
      if let source = unsafe source {
        unsafe report.pointee = SlitScanReport(
          try scanner(engine).scan(
            FrameSpan(source.pointee), into: &output, time: time, settings: settings))
      } else {
        unsafe report.pointee = SlitScanReport(
          try scanner(engine).repeatLast(into: &output, time: time, settings: settings))
      }
    } else if let source = unsafe source {
      unsafe report.pointee = SlitScanReport(
        try scanner(engine).absorb(FrameSpan(source.pointee), time: time, settings: settings))
    }
  }
}

/// Gives the image of a map, or forgets it.
@c @implementation
public func slit_scan_engine_set_map(
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

/// Draws the last output again, or a frame of the input as it came, if it has this layout.
@c @implementation
public func slit_scan_engine_redraw(
  _ engine: OpaquePointer, _ layout: UnsafePointer<SlitScanLayout>,
  _ time: UnsafeMutablePointer<UInt64>?, _ target: UnsafePointer<SlitScanFrame>
) -> Bool {
  var output = unsafe MutableFrameSpan(target.pointee)
  do throws(ScanError) {
    let layout = try unsafe FrameLayout(layout.pointee)
    guard let time = unsafe time else {
      try unsafe scanner(engine).redraw(into: &output, layout: layout)
      return true
    }
    guard
      let drawn = try unsafe scanner(engine).drawInput(
        from: time.pointee, into: &output, layout: layout)
    else { return false }
    unsafe time.pointee = drawn
    return true
  } catch {
    return false
  }
}

/// Draws how old each pixel of the last output is.
@c @implementation
public func slit_scan_engine_draw_ages(
  _ engine: OpaquePointer, _ target: UnsafePointer<SlitScanFrame>,
  _ error: UnsafeMutablePointer<SlitScanError>
) -> Bool {
  unsafe error.attempt { () throws(ScanError) in
    var ages = unsafe MutableFrameSpan(target.pointee)
    try unsafe scanner(engine).drawAges(into: &ages)
  }
}

/// Keeps history in a folder.
@c @implementation
public func slit_scan_engine_set_history_location(
  _ engine: OpaquePointer, _ folder: UnsafePointer<CChar>?
) {
  let path = unsafe folder.map { unsafe String(cString: $0) } ?? ""
  unsafe scanner(engine).setHistoryLocation(path.isEmpty ? nil : path)
}

/// Says how old the output is once history is full.
@c @implementation
public func slit_scan_engine_settle(
  _ engine: OpaquePointer, _ interval: UInt64, _ settings: UnsafePointer<SlitScanSettings>,
  _ report: UnsafeMutablePointer<SlitScanReport>, _ error: UnsafeMutablePointer<SlitScanError>
) -> Bool {
  unsafe error.attempt { () throws(ScanError) in
    unsafe report.pointee = SlitScanReport(
      try scanner(engine).settledReport(
        interval: interval, settings: ScanSettings(settings.pointee)))
  }
}

/// Forgets all frames; their memory stays for the next ones.
@c @implementation
public func slit_scan_engine_forget(_ engine: OpaquePointer) {
  unsafe scanner(engine).forget()
}

/// Forgets all frames and the layout, and gives the memory back.
@c @implementation
public func slit_scan_engine_release(_ engine: OpaquePointer) {
  unsafe scanner(engine).release()
}

/// The scanner behind the handle; the caller keeps it alive.
private func scanner(_ engine: OpaquePointer) -> SlitScanner {
  unsafe Unmanaged<SlitScanner>.fromOpaque(UnsafeRawPointer(engine)).takeUnretainedValue()
}
