// Navigation events: mouse movements, clicks and keys over the video.

import CGStreamer

extension Event {
  /// An action of a pointer.
  public enum PointerAction: Sendable, Hashable {
    /// It moves.
    case moves
    /// A button is pressed: 1 on the left, 2 in the middle, 3 on the right.
    case presses(button: Int32)
    /// A button is let go of.
    case releases(button: Int32)
  }

  /// A pointer did something over the video; goes towards its source.
  ///
  /// - Parameters:
  ///   - action: What it did.
  ///   - x: Where, in pixels from the left edge of the frame.
  ///   - y: Where, in pixels from the upper edge.
  public static func pointer(
    _ action: PointerAction, x: Double, y: Double
  ) throws(GStreamerError) -> Event {
    unsafe try make {
      switch action {
      case .moves:
        unsafe gst_navigation_event_new_mouse_move(x, y, GST_NAVIGATION_MODIFIER_NONE)
      case .presses(let button):
        unsafe gst_navigation_event_new_mouse_button_press(
          button, x, y, GST_NAVIGATION_MODIFIER_NONE)
      case .releases(let button):
        unsafe gst_navigation_event_new_mouse_button_release(
          button, x, y, GST_NAVIGATION_MODIFIER_NONE)
      }
    }
  }

  /// A key was pressed over the video; goes towards its source.
  ///
  /// - Parameter name: As X names it: `space`, `Left` or `a`.
  public static func keyPress(_ name: String) throws(GStreamerError) -> Event {
    unsafe try make {
      unsafe gst_navigation_event_new_key_press(name, GST_NAVIGATION_MODIFIER_NONE)
    }
  }
}
