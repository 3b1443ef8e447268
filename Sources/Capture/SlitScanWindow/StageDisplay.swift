// A display that a window can open on, and the text by which a performer chooses one.

import SlitScanCapture

/// A display that windows can be on: a screen, or a projector.
public struct StageDisplay: Sendable, Hashable {
  /// Its number, from 1 on.
  public let number: Int
  /// Its name, as `DELL U2412M 24"`, or where it says none, that of its socket, as `HDMI-1 24"`.
  public let name: String
  /// Its width in pixels.
  public let width: Int
  /// Its height in pixels.
  public let height: Int

  /// A display.
  public init(number: Int, name: String, width: Int, height: Int) {
    self.number = number
    self.name = name
    self.width = width
    self.height = height
  }

  /// Whether it is meant by a name: its own, with or without the size, in any case.
  func isNamed(_ name: String) -> Bool {
    let own = self.name.lowercased()
    let name = name.lowercased()
    guard own != name else { return true }
    // The size in inches that SDL adds.
    guard let space = own.lastIndex(of: " "), own.hasSuffix("\"") else { return false }
    return own[..<space] == name
  }
}

/// The place of a window.
public struct WindowPlace: Sendable, Hashable {
  /// Which display is meant.
  public enum Choice: Sendable, Hashable {
    /// Any: a window where the desktop puts it, a full screen on the first.
    case any
    /// The one with a number, from 1 on.
    case number(Int)
    /// The one with a name.
    case name(String)
  }

  /// Whether it is to fill the display.
  public var isFullScreen: Bool
  /// The display.
  public var display: Choice

  /// A place.
  public init(isFullScreen: Bool = false, display: Choice = .any) {
    self.isFullScreen = isFullScreen
    self.display = display
  }

  /// The first of some frames of windows whose display is there, and meant.
  func frame(among frames: [WindowFrame], on displays: [StageDisplay]) throws(CaptureError)
    -> WindowFrame?
  {
    let index = try index(in: displays)
    for frame in frames {
      // Two displays may have one name.
      let same = displays.filter { $0.name == frame.display.name }
      let there = same.first { $0.number == frame.display.number } ?? same.first
      guard let there, index.map({ displays[$0] == there }) ?? true else { continue }
      return frame.within(there)
    }
    return nil
  }

  /// The place in a list of displays; nil for any.
  ///
  /// - Throws: `noSuchDisplay`, which lists those there are.
  func index(in displays: [StageDisplay]) throws(CaptureError) -> Int? {
    let found: Int?
    let wanted: String
    switch display {
    case .any: return nil
    case .number(let number):
      wanted = "\(number)"
      found = displays.firstIndex { $0.number == number }
    case .name(let name):
      wanted = name
      found = displays.firstIndex { $0.isNamed(name) }
    }
    if let found { return found }
    let there = displays.map { "\($0.number) (\($0.name), \($0.width)x\($0.height))" }
    throw CaptureError(
      .noSuchDisplay, "There is no display \(wanted). There are: \(there.joined(separator: ", ")).")
  }
}

/// Where a window is on its display with the desktop's border around it, and its size without, in pixels.
public struct WindowFrame: Sendable, Hashable {
  /// The display.
  public var display: StageDisplay
  /// The distance of its left edge from that of the display.
  public var x: Int
  /// The distance of its upper edge from that of the display.
  public var y: Int
  /// Its width.
  public var width: Int
  /// Its height.
  public var height: Int
  /// Whether it fills the display; the rest is where it is once it does not.
  public var isFullScreen: Bool

  /// A place and size on a display.
  public init(
    display: StageDisplay, x: Int, y: Int, width: Int, height: Int, isFullScreen: Bool = false
  ) {
    self.display = display
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.isFullScreen = isFullScreen
  }

  /// One of several windows, side by side in a part of a display.
  ///
  /// As large as its frames, or as much of that as leaves some of the desktop around it.
  ///
  /// - Parameters:
  ///   - number: Which one, from 0 on.
  ///   - area: The part of the display.
  init(
    _ number: Int, of count: Int, showing frames: (width: Int, height: Int),
    on display: StageDisplay,
    in area: (x: Int, y: Int, width: Int, height: Int)
  ) {
    let wanted = (width: Double(max(1, frames.width)), height: Double(max(1, frames.height)))
    let grids = (1...max(1, count)).map { columns in
      let rows = (count + columns - 1) / columns
      let cell = (width: area.width / columns, height: area.height / max(1, rows))
      let scale = min(
        1, 0.85 * Double(cell.width) / wanted.width, 0.85 * Double(cell.height) / wanted.height)
      return (columns: columns, cell: cell, scale: scale)
    }
    // Of grids that are as good, the one with the fewest columns.
    let best = grids.reduce(grids[0]) { $1.scale > $0.scale ? $1 : $0 }
    let size = (
      width: max(1, Int(wanted.width * best.scale)), height: max(1, Int(wanted.height * best.scale))
    )
    let (column, row) = (number % best.columns, number / best.columns)
    self.init(
      display: display,
      x: area.x + column * best.cell.width + (best.cell.width - size.width) / 2,
      // The desktop adds a bar above it.
      y: area.y + row * best.cell.height + (best.cell.height - size.height) / 3,
      width: size.width, height: size.height)
  }

  /// The same on a display that may be smaller by now: within it.
  func within(_ display: StageDisplay) -> WindowFrame {
    var frame = self
    frame.display = display
    frame.width = min(max(1, width), max(1, display.width))
    frame.height = min(max(1, height), max(1, display.height))
    frame.x = min(max(0, x), max(0, display.width - frame.width))
    frame.y = min(max(0, y), max(0, display.height - frame.height))
    return frame
  }
}

extension CaptureError.Code {
  // MARK: Windows

  /// No windows can be opened: X11 is not there.
  public static let noWindows = Self(rawValue: "window.no-windows")
  /// There is no such display.
  public static let noSuchDisplay = Self(rawValue: "window.no-such-display")
}
