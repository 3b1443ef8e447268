// The protocol of windows that the program opens and previews draw into.

import GStreamer

/// A window for a preview, where the sink is not to open one of its own.
///
/// It is closed with its preview, and only then: what draws into it is stopped before.
package protocol PreviewWindow: Sendable {
  /// The handle of the window system: the number of a window of X11.
  var handle: UInt { get }
  /// The events in it, for one reader; ends when it is closed.
  var events: AsyncStream<PreviewWindowEvent> { get }
  func close() async
}

/// An event of a window.
///
/// Positions are in pixels from the window's upper left corner.
package enum PreviewWindowEvent: Sendable, Hashable {
  /// It is new, has another size, or was covered: its frame is to be drawn again.
  case exposed(width: Int, height: Int)
  /// A pointer did something over it.
  case pointer(Event.PointerAction, x: Double, y: Double)
  /// A key was pressed, by X's name.
  case key(String)
  /// The user or the window manager asks for it to be closed.
  case closeRequested
  /// The window system destroyed it; nothing can be drawn into it any more.
  case destroyed
}

/// The place of a frame in a window: as large as it fits, in the middle.
struct FrameFit {
  private let frame: (width: Double, height: Double)
  private let place: (x: Double, y: Double, width: Double, height: Double)

  /// - Parameters:
  ///   - frame: In pixels.
  ///   - pixelAspect: How much wider than high a pixel of the frame is.
  ///   - window: In pixels, which are square.
  /// - Returns: Nil where one of them has no size.
  init?(
    frame: (width: Int, height: Int), pixelAspect: Double = 1, window: (width: Int, height: Int)
  ) {
    guard frame.width > 0, frame.height > 0, window.width > 0, window.height > 0,
      pixelAspect > 0, pixelAspect.isFinite
    else { return nil }
    let window = (width: Double(window.width), height: Double(window.height))
    self.frame = (Double(frame.width), Double(frame.height))
    let shown = (width: self.frame.width * pixelAspect, height: self.frame.height)
    let scale = min(window.width / shown.width, window.height / shown.height)
    let size = (width: shown.width * scale, height: shown.height * scale)
    place = (
      (window.width - size.width) / 2, (window.height - size.height) / 2, size.width, size.height
    )
  }

  /// The point of the frame that is shown at one of the window; beside it, the nearest of its edge.
  func point(x: Double, y: Double) -> (x: Double, y: Double) {
    (
      min(max((x - place.x) / place.width, 0), 1) * frame.width,
      min(max((y - place.y) / place.height, 0), 1) * frame.height
    )
  }
}
