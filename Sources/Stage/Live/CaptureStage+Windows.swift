// The windows of a capture stage.

import FoundationEssentials
import GStreamer
import SlitScanCapture
import SlitScanWindow

/// An output of a show at one moment.
public struct OutputStatus: Sendable, Hashable {
  /// Its number, from 1 on.
  public let number: Int
  /// The word that a performer typed.
  public let word: String
  /// The frames that it shows; nil where it is closed.
  public let shown: CaptureStatus.PreviewStatus?
}

extension CaptureStage {
  /// Makes the window that has the focus, or had it last, full screen, or a window again.
  ///
  /// - Returns: Whether there is one.
  public func toggleFullScreen() async -> Bool { await WindowSystem.shared.toggleFullScreen() }

  /// Makes the full screens windows again.
  public func leaveFullScreen() async { await WindowSystem.shared.leaveFullScreen() }

  /// The outputs, in the order of their numbers.
  ///
  /// - Parameter status: That of the capture.
  public func outputs(in status: CaptureStatus) -> [OutputStatus] {
    outputs.enumerated().map { index, output in
      OutputStatus(
        number: index + 1, word: output.word,
        shown: status.previews.first { $0.id == previews[index] })
    }
  }

  /// Opens an output that is closed; on a display, an open window moves there.
  public func reopenOutput(_ number: Int, on display: String?) async throws(StageError) {
    guard outputs.indices.contains(number - 1) else {
      throw StageError(
        .badMove,
        outputs.isEmpty
          ? "There is no output."
          : "There is no output \(number). The outputs are 1 to \(outputs.count).")
    }
    try await openings.run { () async throws(StageError) in
      try await reopen(number - 1, on: display)
    }
  }

  private func reopen(_ index: Int, on display: String?) async throws(StageError) {
    let output =
      try display.map { name throws(StageError) in
        try outputs[index].moved(to: name)
      } ?? outputs[index]
    guard display != nil || previews[index] == nil else { return }
    let preview: PreviewID
    do throws(CaptureError) {
      preview = try await open(output, at: index)
    } catch {
      let failure = output.explain(error)
      guard error.code == .noSuchDisplay else { throw failure }
      throw StageError(
        failure.code, "\(failure.message) Choose one, as in output \(index + 1) reopen 1.")
    }
    // The new window opens before the old one is closed.
    let last = previews.updateValue(preview, forKey: index)
    outputs[index] = output
    if let last { await capture.closePreview(last) }
    // The show may have ended meanwhile.
    guard !tasks.isEmpty else { return await capture.closePreview(preview) }
    tell(.notice("Output \(index + 1) is open: \(output.word)."))
  }

  /// Closes a window that a user asks to be closed, unless nothing else shows the video.
  func closeIfAnotherIsOpen(_ preview: PreviewID) async {
    guard previews.count > 1 else { return tell(.closeRequested) }
    lose(preview, because: "The window was closed.")
    await capture.closePreview(preview)
  }

  /// Says that an output is closed, and how it opens again.
  func lose(_ preview: PreviewID, because reason: String) {
    guard let index = previews.first(where: { $0.value == preview })?.key else { return }
    previews[index] = nil
    tell(
      .warning(
        "\(outputs[index].word): \(reason) The key e, or output \(index + 1) reopen, opens it again."
      ))
  }

  func open(_ output: Output, at index: Int) async throws(CaptureError) -> PreviewID {
    guard let place = output.window else { return try await capture.openPreview(output.sink) }
    let window: StageWindow
    do throws(CaptureError) {
      window = try await WindowSystem.shared.open(
        place, title: "slitscan \(index + 1): \(output.word)", frames: await capture.frameSize,
        last: lastFrames(of: index), beside: neighbours(of: index))
      windows[index] = window
    } catch {
      guard error.code == .noWindows else { throw error }
      return try await openForeign(output, place, because: error.message)
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

  /// The places in `outputs` of those that are windows and no full screens.
  private var floating: [Int] {
    outputs.indices.filter { outputs[$0].window.map { !$0.isFullScreen } ?? false }
  }

  private func neighbours(of index: Int) -> (before: [WindowPlace], after: [WindowPlace]) {
    guard floating.contains(index) else { return ([], []) }
    let places = { (indices: [Int]) in indices.compactMap { self.outputs[$0].window } }
    return (places(floating.filter { $0 < index }), places(floating.filter { $0 > index }))
  }

  /// Where the window of an output was, in this show and in earlier ones, the latest first.
  private func lastFrames(of index: Int) -> [WindowFrame] {
    let kept = floating.firstIndex(of: index).map {
      keptWindows.frames(of: $0 + 1, among: floating.count)
    }
    return [windows[index]?.frame].compactMap(\.self) + (kept ?? [])
  }

  /// Keeps where the windows are from time to time, as a show may end in a crash.
  static func watchWindows(of stage: CaptureStage) -> Task<Void, Never> {
    Task { [weak stage, clock = stage.clock] in
      while (try? await clock.sleep(for: .seconds(5))) != nil, let stage {
        await stage.keepWindows()
      }
    }
  }

  /// Keeps where the windows are, for later shows.
  func keepWindows() {
    for (place, index) in floating.enumerated() {
      guard let frame = windows[index]?.frame else { continue }
      keptWindows.keep(frame, of: place + 1, among: floating.count)
    }
    do throws(StageError) {
      try keptWindows.write()
    } catch {
      tell(.warning(error.message))
    }
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
    return ranked.sorted { $0.rank > $1.rank }.map(\.line)
  }

  /// Opens the window that a sink has by itself, where there is no X11.
  private func openForeign(
    _ output: Output, _ place: WindowPlace, because reason: String
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
        "\(output.word): \(reason) The window is GStreamer's own: \(lacks.joined(separator: ", "))."
      ))
    return id
  }
}
