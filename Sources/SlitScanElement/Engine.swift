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
  do throws(ScanError) {
    let input = try FrameLayout(unsafe layout.pointee)
    let settings = unsafe ScanSettings(settings.pointee)
    let output = try unsafe scanner(engine).configure(input: input, settings: settings)
    guard output.width == Int(outputWidth), output.height == Int(outputHeight) else {
      throw .notConfigured
    }
    return true
  } catch let failure {
    unsafe error.pointee.set(failure)
    return false
  }
}

/// Takes a frame in and draws the output, if there is a target.
@c @implementation
public func slit_scan_engine_process(
  _ engine: OpaquePointer, _ source: UnsafePointer<SlitScanFrame>,
  _ target: UnsafePointer<SlitScanFrame>?, _ time: UInt64,
  _ settings: UnsafePointer<SlitScanSettings>, _ report: UnsafeMutablePointer<SlitScanReport>,
  _ error: UnsafeMutablePointer<SlitScanError>
) -> Bool {
  let settings = unsafe ScanSettings(settings.pointee)
  let frame = unsafe FrameSpan(
    source.pointee.span(0), source.pointee.span(1), source.pointee.span(2),
    source.pointee.span(3), strides: source.pointee.strideVector)
  do throws(ScanError) {
    let result: FrameReport
    if let target = unsafe target {
      var output = unsafe MutableFrameSpan(
        target.pointee.mutableSpan(0), target.pointee.mutableSpan(1),
        target.pointee.mutableSpan(2), target.pointee.mutableSpan(3),
        strides: target.pointee.strideVector)
      result = try unsafe scanner(engine).scan(
        frame, into: &output, time: time, settings: settings)
    } else {
      result = try unsafe scanner(engine).absorb(frame, time: time, settings: settings)
    }
    unsafe report.pointee = SlitScanReport(result)
    return true
  } catch let failure {
    unsafe error.pointee.set(failure)
    return false
  }
}

/// Goes on without a new frame, as if the last one came again, and draws the output.
@c @implementation
public func slit_scan_engine_repeat(
  _ engine: OpaquePointer, _ target: UnsafePointer<SlitScanFrame>, _ time: UInt64,
  _ settings: UnsafePointer<SlitScanSettings>, _ report: UnsafeMutablePointer<SlitScanReport>,
  _ error: UnsafeMutablePointer<SlitScanError>
) -> Bool {
  let settings = unsafe ScanSettings(settings.pointee)
  do throws(ScanError) {
    var output = unsafe MutableFrameSpan(
      target.pointee.mutableSpan(0), target.pointee.mutableSpan(1),
      target.pointee.mutableSpan(2), target.pointee.mutableSpan(3),
      strides: target.pointee.strideVector)
    let result = try unsafe scanner(engine).repeatLast(
      into: &output, time: time, settings: settings)
    unsafe report.pointee = SlitScanReport(result)
    return true
  } catch let failure {
    unsafe error.pointee.set(failure)
    return false
  }
}

/// Gives the image of a map, or forgets it.
@c @implementation
public func slit_scan_engine_set_map(
  _ engine: OpaquePointer, _ map: SlitScanMap, _ layout: UnsafePointer<SlitScanLayout>?,
  _ image: UnsafePointer<SlitScanFrame>?, _ error: UnsafeMutablePointer<SlitScanError>
) -> Bool {
  let role: MapImageRole = map == SLIT_SCAN_MAP_LIVE ? .live : .image
  guard let layout = unsafe layout, let image = unsafe image else {
    unsafe scanner(engine).forgetMapImage(role)
    return true
  }
  let planes = unsafe FrameSpan(
    image.pointee.span(0), image.pointee.span(1), image.pointee.span(2),
    image.pointee.span(3), strides: image.pointee.strideVector)
  do throws(ScanError) {
    let layout = try FrameLayout(unsafe layout.pointee)
    try unsafe scanner(engine).setMapImage(planes, layout: layout, as: role)
    return true
  } catch let failure {
    unsafe error.pointee.set(failure)
    return false
  }
}

/// Draws the last output again, if it has this layout.
@c @implementation
public func slit_scan_engine_redraw(
  _ engine: OpaquePointer, _ layout: UnsafePointer<SlitScanLayout>,
  _ target: UnsafePointer<SlitScanFrame>
) -> Bool {
  do throws(ScanError) {
    var output = unsafe MutableFrameSpan(
      target.pointee.mutableSpan(0), target.pointee.mutableSpan(1),
      target.pointee.mutableSpan(2), target.pointee.mutableSpan(3),
      strides: target.pointee.strideVector)
    try unsafe scanner(engine).redraw(into: &output, layout: FrameLayout(layout.pointee))
    return true
  } catch {
    return false
  }
}

/// Says how old the output is once history is full.
@c @implementation
public func slit_scan_engine_settle(
  _ engine: OpaquePointer, _ interval: UInt64, _ settings: UnsafePointer<SlitScanSettings>,
  _ report: UnsafeMutablePointer<SlitScanReport>, _ error: UnsafeMutablePointer<SlitScanError>
) -> Bool {
  let settings = unsafe ScanSettings(settings.pointee)
  do throws(ScanError) {
    let result = try unsafe scanner(engine).settledReport(interval: interval, settings: settings)
    unsafe report.pointee = SlitScanReport(result)
    return true
  } catch let failure {
    unsafe error.pointee.set(failure)
    return false
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
