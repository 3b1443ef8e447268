// The capture controller is a session for user interfaces: on the main actor, with observable values.

import Observation

/// A ``CaptureSession`` as a user interface sees it.
///
/// ```swift
/// let controller = CaptureController()
/// await controller.update { Camera(); Scan(map: .radial); Preview() }
/// print(controller.status.frames, controller.failure ?? "all is well")
/// ```
///
/// It publishes values only, some times a second: what is behind them is on other actors.
@MainActor @Observable public final class CaptureController {
  /// The status when it was last read.
  public private(set) var status = CaptureStatus()
  /// Why the last update or still failed, or what broke off since; nil where all is well.
  public private(set) var failure: CaptureError?
  /// Whether an update is under way.
  public var isUpdating: Bool { updates.ended < updates.begun }
  /// The recordings that were completed, the last one last.
  public private(set) var completed: [RecordedFile] = []

  /// The session.
  public let session: CaptureSession
  private var updates = (begun: 0, ended: 0)
  @ObservationIgnored private var watching: [Task<Void, Never>] = []

  /// A controller of a session, one of its own unless another is given.
  ///
  /// - Parameters:
  ///   - session: The session, which others may use, too.
  ///   - interval: How often ``status`` is looked at.
  public init(
    session: CaptureSession = CaptureSession(), every interval: Duration = .milliseconds(250)
  ) {
    self.session = session
    let events = session.events
    watching = [
      Task { [weak self] in
        for await event in events { self?.take(event) }
      },
      Task { [weak self] in
        while !Task.isCancelled {
          let status = await session.status
          guard let self else { return }
          if self.status != status { self.status = status }
          try? await session.clock.sleep(for: interval)
        }
      },
    ]
  }

  isolated deinit {
    for task in watching { task.cancel() }
  }

  /// Brings the capture to what is wanted; ``failure`` says why, where that does not work.
  ///
  /// - Returns: Whether it is so now.
  @discardableResult
  public func update(@CaptureBuilder _ parts: () -> [any CapturePart]) async -> Bool {
    updates.begun += 1
    defer { updates.ended += 1 }
    let number = updates.begun
    // A part may break off before its update is done; that is not to be forgotten.
    failure = nil
    var isDone = false
    do throws(CaptureError) {
      let configuration = try CaptureConfiguration(parts())
      completed += try await session.update(to: configuration)
      isDone = true
    } catch {
      // Where another one has begun since, that says what is the matter.
      if number == updates.begun { failure = error }
    }
    status = await session.status
    return isDone
  }

  /// Makes a still; ``failure`` says why, where there is none.
  public func photo() async -> Photo? {
    do throws(CaptureError) {
      return try await session.photo()
    } catch {
      failure = error
      return nil
    }
  }

  /// Stops everything, also in a task that is cancelled.
  public func stop() async {
    completed += await session.stop()
    status = await session.status
  }

  private func take(_ event: CaptureEvent) {
    switch event {
    case .sourceFailed(let error), .soundFailed(let error),
      .gpuLost(let error), .mapImageFailed(let error), .historyFailed(let error),
      .previewFailed(_, let error),
      .recordingFailed(_, let error):
      failure = error
    case .firstFrame, .sourceEnded, .completed, .formatChanged, .depthLimited,
      .canvasLimited, .readerStalled, .recordingLate:
      break
    }
  }
}
