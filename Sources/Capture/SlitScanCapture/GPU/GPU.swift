// The GPU that the effect can run on, and the choice whether it does.

import FoundationEssentials
import GStreamer
import SlitScanPlugin

/// The choice whether the effect of a capture runs on the GPU, as the element `glslitscan`.
///
/// ```swift
/// try await session.update { Camera(); GPUUse.auto; Preview("glimagesink") }
/// ```
///
/// Frames stay on the GPU until something needs their bytes: a window of `glimagesink` does not, a recording
/// and a still do. Should the GPU fail, the effect goes on on the processor with the same settings and an
/// empty history, and ``CaptureEvent/gpuLost(_:)`` says so; no frame is lost. A history on disk, of the property
/// `history-location`, is for the processor alone.
public enum GPUUse: String, Sendable, Hashable, CaseIterable, CapturePart, KnownPart {
  /// On the GPU if there is one; ``CaptureStatus/device`` says why not.
  case auto
  /// On the GPU, or not at all; also by OpenGL in software.
  case on
  /// On the processor.
  case off

  var kind: CapturePartKind { .gpu(self) }
}

extension GPUUse {
  /// The device to run on.
  ///
  /// - Throws: Why there is no GPU, where there must be one; ``CaptureError/Code/cancelled``.
  func findDevice(
    for scan: ValidatedScan, on clock: any SteadyClock
  ) async throws(CaptureError) -> EffectDevice {
    switch self {
    case .off: return .processor(because: nil)
    case .on where scan.historyLocation != nil:
      throw CaptureError(
        .noGPU,
        "The effect cannot run on the GPU: it keeps no history on disk there, and history-location is set. Leave out "
          + "one of them.")
    case .on: return .gpu(renderer: try await GPU.find(on: clock).renderer)
    case .auto where scan.historyLocation != nil:
      return .processor(because: "The GPU keeps no history in history-location.")
    case .auto:
      do throws(CaptureError) {
        let gpu = try await GPU.find(on: clock)
        guard !gpu.isSoftware else {
          return .processor(because: "OpenGL is software here: \(gpu.renderer).")
        }
        return .gpu(renderer: gpu.renderer)
      } catch {
        if error.code == .cancelled { throw error }
        return .processor(because: error.message)
      }
    }
  }
}

/// The device that the effect runs on.
public enum EffectDevice: Sendable, Hashable {
  /// The processor; with the reason why not the GPU, if that was asked for.
  case processor(because: String?)
  /// The GPU, with the name of its renderer, as the driver gives it.
  case gpu(renderer: String)
}

/// The renderer of OpenGL.
package struct GPU: Sendable, Hashable {
  /// Its name, as the driver gives it.
  package let renderer: String
  /// The version of OpenGL, as the driver gives it.
  package let version: String

  /// Whether it is a program on the processor.
  package var isSoftware: Bool {
    let name = renderer.lowercased()
    return Self.softwareNames.contains { name.contains($0) }
  }

  /// Parts of the names of Mesa's and Google's renderers in software, and of Windows's.
  private static let softwareNames = [
    "llvmpipe", "softpipe", "swrast", "swr ", "lavapipe", "swiftshader", "software", "basic render",
  ]

  /// The renderer that the effect would run on.
  ///
  /// One frame goes through the effect, so it is known that it does. What OpenGL has found is kept for the
  /// captures of this process; a failure is not.
  ///
  /// - Parameter clock: The clock of the limit of the search.
  /// - Throws: ``CaptureError/Code/noGPU``, with what to do; ``CaptureError/Code/missingElement`` with the
  ///   package to install.
  package static func find(
    on clock: any SteadyClock = ContinuousClock()
  ) async throws(CaptureError) -> GPU {
    try await mutex.run { () async throws(CaptureError) in
      if let found = found.value { return found }
      try requireElements()
      try requireDisplay()
      try await requireTrial(on: clock)
      let gpu = try await open(on: clock)
      found.value = gpu
      return gpu
    }
  }

  /// Has elements use the display of OpenGL that was found, if one was.
  ///
  /// All in one process must share one: GStreamer 1.22 closes that of EGL for all with the first of them. And
  /// textures go from one pipeline to another only where both do.
  package static func offerDisplay(to element: Element) {
    for context in display.value { element.offer(context) }
  }

  private static let found = Shared<GPU?>(nil)
  /// Kept for good, also where the GPU cannot be used: with the last reference, Mesa's libraries would be
  /// unloaded under threads of theirs that end.
  private static let display = Shared<[Context]>([])
  /// A texture that is kept for good, also where the effect cannot use it.
  ///
  /// It keeps the context that all pipelines use, and with it the thread of that. GStreamer 1.22 does not wait
  /// for the thread, and libEGL crashes where it ends while the process exits.
  private static let texture = Shared<Buffer?>(nil)
  private static let mutex = AsyncMutex()
  /// The time that the first frame may take: drivers compile shaders, and some wait for ever after an error.
  static let patience = Duration.seconds(20)

  private static func open(on clock: any SteadyClock) async throws(CaptureError) -> GPU {
    do {
      let (outcome, disposal) = try await draw(on: clock)
      // After an answer, the process may end as soon as this returns: by then nothing of OpenGL may still be ending.
      await disposal.wait(atMost: .seconds(5), on: clock)
      return try outcome.get()
    } catch let error as CaptureError {
      throw error
    } catch {
      throw .of(error, before: "the GPU was tried") { unusable($0.message, $0) }
    }
  }

  /// Sends one frame through the effect.
  ///
  /// - Returns: What came of it, and the disposal of the pipeline.
  private static func draw(
    on clock: any SteadyClock
  ) async throws -> (Result<GPU, CaptureError>, Disposal) {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=1 ! video/x-raw,format=I420,width=16,height=16 ! glupload name=upload "
        + "! glcolorconvert ! glslitscan ! fakesink sync=false")
    offerDisplay(to: pipeline.element)
    let texture = texture
    try pipeline.element(named: "upload").pad("src").addProbe(.buffer) { item in
      if case .buffer(let buffer) = item { texture.value = buffer }
      return .pass
    }
    let messages = pipeline.bus.messages
    let playing = Task { try await pipeline.play() }
    let outcome = await firstNews(messages, on: clock)
    let contexts = pipeline.element.contexts.filter { $0.type == "gst.gl.GLDisplay" }
    if !contexts.isEmpty { display.value = contexts }
    playing.cancel()
    let stopping = Task {
      await pipeline.stop()
      _ = await playing.result
    }
    // A window system that does not answer holds it up for as long as it likes, and nothing else.
    guard let outcome else {
      throw unusable("OpenGL did not draw a frame in \(patience.components.seconds) seconds.", nil)
    }
    await stopping.value
    return (outcome, Disposal(of: pipeline.element))
  }

  /// The elements that are in packages of their own.
  private static func requireElements() throws(CaptureError) {
    guard SlitScanPlugin.isRegistered else {
      throw CaptureError(.missingElement, "GStreamer cannot start or cannot register slitscan.")
    }
    for (name, package) in [
      ("glupload", "gstreamer1.0-gl"), ("glslitscan", "gstreamer1.0-slitscan-gl"),
    ] where !Element.isInstalled(name) {
      throw CaptureError(
        .missingElement,
        "The effect on the GPU needs the element \(name). Install the package \(package).")
    }
  }

  /// Without a display, the libraries of Wayland and EGL only complain on standard error.
  private static func requireDisplay() throws(CaptureError) {
    let environment = ProcessInfo.processInfo.environment
    // GStreamer 1.22 crashes where it is told to use X11 and there is none.
    let names =
      environment["GST_GL_WINDOW"]?.hasPrefix("x11") == true
      ? ["DISPLAY"] : ["DISPLAY", "WAYLAND_DISPLAY", "GST_GL_WINDOW"]
    guard !names.contains(where: { environment[$0]?.isEmpty == false }) else { return }
    throw CaptureError(
      .noGPU,
      "The effect cannot run on the GPU: there is no display. To use the GPU without one, set "
        + "GST_GL_PLATFORM=egl and GST_GL_WINDOW=egl-device.")
  }

  /// The pipeline's first message of an end, good or bad; nil if there is none in time.
  private static func firstNews(
    _ messages: Bus.Messages, on clock: any SteadyClock
  ) async -> Result<GPU, CaptureError>? {
    await withTaskGroup { group in
      group.addTask { () -> Result<GPU, CaptureError>? in
        var gpu: GPU?
        for await message in messages {
          if let error = message.error, message.kind == .error {
            return .failure(unusable(error.message, error))
          }
          if let structure = message.structure, structure.name == "slitscan-gl" {
            gpu = GPU(
              renderer: structure.get("renderer") ?? "", version: structure.get("version") ?? "")
          }
          if message.kind == .eos, let gpu { return .success(gpu) }
        }
        return .failure(unusable("The search ended without an answer.", nil))
      }
      group.addTask {
        try? await Deadline(in: patience, on: clock).wait()
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  static func unusable(_ reason: String, _ error: (any Error)?) -> CaptureError {
    CaptureError(
      .noGPU,
      "The effect cannot run on the GPU: \(reason) Check the graphics driver with `glxinfo -B` or "
        + "`eglinfo`.",
      underlying: error as? GStreamerError)
  }
}
