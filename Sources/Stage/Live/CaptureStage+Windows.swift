// The windows of a capture stage.

import Foundation
import GStreamer
import SlitScanCapture
import SlitScanWindow

extension CaptureStage {
  /// Makes the window that has the focus, or had it last, full screen, or a window again.
  ///
  /// - Returns: Whether there is one.
  public func toggleFullScreen() async -> Bool { await WindowSystem.shared.toggleFullScreen() }

  /// Makes the full screens windows again.
  public func leaveFullScreen() async { await WindowSystem.shared.leaveFullScreen() }

  func open(_ output: Output) async throws(CaptureError) -> PreviewID {
    guard let place = output.window else { return try await capture.openPreview(output.sink) }
    let window: StageWindow
    do throws(CaptureError) {
      window = try await WindowSystem.shared.open(
        place, title: "slitscan", frames: await capture.frameSize)
    } catch {
      guard error.code == .noWindows else { throw error }
      return try await openForeign(output, place)
    }
    var failure: CaptureError?
    let isOnGPU = if case .gpu = await capture.device { true } else { false }
    for sink in Self.windowSinks(areOnGPU: isOnGPU) {
      do throws(CaptureError) {
        return try await capture.openPreview(sink, in: window)
      } catch {
        failure = error
      }
    }
    await window.close()
    throw failure ?? CaptureError(.missingElement, "No element that shows video is installed.")
  }

  /// The sinks that draw into a window of X11, the best first: scaled by the graphics card, or else here.
  ///
  /// `GST_PLUGIN_FEATURE_RANK` says otherwise, as it does for `autovideosink`. glimagesink is the last, as
  /// where its window gets another size before its first frame, it may show nothing; but the first for frames
  /// on the GPU, which stay there with it.
  private static func windowSinks(areOnGPU: Bool) -> [String] {
    let environment = ProcessInfo.processInfo.environment
    var sinks = [
      (name: "xvimagesink", line: "xvimagesink"),
      (name: "ximagesink", line: "videoscale ! ximagesink"),
    ]
    // Under Wayland, GL takes the number of the window for one of Wayland's.
    if environment["WAYLAND_DISPLAY"] == nil || environment["GST_GL_WINDOW"] == "x11" {
      sinks.insert((name: "glimagesink", line: "glimagesink"), at: areOnGPU ? 0 : sinks.endIndex)
    }
    if areOnGPU { return sinks.map(\.line) }
    let ranked = sinks.map { (rank: Element.rank(of: $0.name) ?? -1, line: $0.line) }
    // Of equals, the one that comes first above.
    return ranked.enumerated()
      .sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }
      .map(\.element.line)
  }

  /// Opens the window that a sink has by itself, where there is no X11.
  private func openForeign(
    _ output: Output, _ place: WindowPlace
  ) async throws(CaptureError) -> PreviewID {
    let environment = ProcessInfo.processInfo.environment
    let isWayland = environment["WAYLAND_DISPLAY"].map { !$0.isEmpty } ?? false
    let fillsScreen =
      place.isFullScreen && isWayland
      && (try? Element("waylandsink"))?.hasProperty("fullscreen") == true
    let id = try await capture.openPreview(
      fillsScreen ? "waylandsink fullscreen=true" : output.sink)
    var lacks = ["F11 does nothing"]
    if place.display != .any { lacks.append("it is on whatever display it comes to") }
    if place.isFullScreen, !fillsScreen { lacks.append("it is not full screen") }
    tell(
      .notice(
        "\(output.word): there is no X11, so the window is GStreamer's own: "
          + "\(lacks.joined(separator: ", "))."))
    return id
  }
}
