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

extension CaptureError.Code {
  // MARK: Windows

  /// No windows can be opened: X11 is not there.
  public static let noWindows = Self(rawValue: "window.no-windows")
  /// There is no such display.
  public static let noSuchDisplay = Self(rawValue: "window.no-such-display")
}
