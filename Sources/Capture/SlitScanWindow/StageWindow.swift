// A stage window is a preview window that SDL opens.

import SlitScanCapture
import StreamingThread

/// A window of ``WindowSystem``'s, for a preview.
///
/// It stays open until ``close()``; what draws into it must be stopped before.
public final class StageWindow: PreviewWindow {
  /// The window's number in X11.
  public let handle: UInt
  /// The events of the window, for one reader; ends when it is closed.
  package let events: AsyncStream<PreviewWindowEvent>
  private let place: Lock<WindowFrame>
  /// SDL's number, which another window has once SDL was ended and begun again.
  let number: UInt32

  /// Where it is, or was last.
  public internal(set) var frame: WindowFrame {
    get { place.withLock { $0 } }
    set { place.withLock { $0 = newValue } }
  }

  init(
    _ number: UInt32, handle: UInt, frame: WindowFrame, events: AsyncStream<PreviewWindowEvent>
  ) {
    place = Lock(frame)
    self.number = number
    self.handle = handle
    self.events = events
  }

  /// Closes it.
  public func close() async { await WindowSystem.shared.close(self) }
}
