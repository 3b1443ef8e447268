// The in-memory source delivers buffers that the program has made.

import GStreamer

/// Samples that a program has or makes.
///
/// Each element gets them from the start. Each sample must say when it is shown: the source fails with
/// ``CaptureError/Code/noTime`` at one whose buffer has no presentation time.
public actor InMemorySource: FrameSource {
  private let make: @Sendable (Int) async throws -> Sample?
  private var feeders: [Task<Void, Never>] = []
  /// The error of the last element that failed.
  private let failure = Shared<CaptureError?>(nil)

  /// Samples that are there already, in order.
  public init(_ samples: [Sample]) {
    self.init { $0 < samples.count ? samples[$0] : nil }
  }

  /// Samples that are made when they are wanted.
  ///
  /// - Parameter make: Gets the number of a sample, from 0 on; nil ends the stream. When it throws, the source
  ///   fails with that error: a ``CaptureError`` as it is, another as ``CaptureError/Code/sourceFailed``.
  public init(making make: @escaping @Sendable (_ number: Int) async throws -> Sample?) {
    self.make = make
  }

  deinit {
    for feeder in feeders { feeder.cancel() }
  }

  /// An `appsrc` that is fed from its pipeline's start to its stop.
  ///
  /// - Throws: ``CaptureError/Code/missingElement``.
  public func makeElement() throws(CaptureError) -> Element {
    let source: AppSrc
    do throws(GStreamerError) {
      source = try AppSrc()
    } catch {
      throw explain(error)
    }
    let (make, failure) = (make, failure)
    feeders.append(
      Task.detached {
        do throws(CaptureError) {
          try await Self.feed(source, make)
          try? await source.finish()
        } catch {
          failure.value = error
          // Behind the samples before it.
          _ = try? source.element.pad("src").addProbe(.eventDownstream) { item, pad in
            guard case .event(let event) = item, event.kind == .eos else { return .pass }
            pad.element?.fail(error.message)
            return .pass
          }
          try? await source.finish()
        }
      })
    return source.element
  }

  /// Sends samples until there are no more, or they are not wanted any more.
  ///
  /// - Throws: Why there are no more, where that is an error.
  private static func feed(
    _ source: AppSrc, _ make: (Int) async throws -> Sample?
  ) async throws(CaptureError) {
    for number in 0... {
      let next: Sample?
      do {
        next = try await make(number)
      } catch {
        guard !Task.isCancelled else { return }
        throw error as? CaptureError
          ?? CaptureError(
            .sourceFailed, "Sample \(number) could not be made: \(error)",
            underlying: error as? GStreamerError)
      }
      guard let sample = next else { return }
      if let buffer = sample.buffer, buffer.presentationTime == nil {
        throw CaptureError(
          .noTime,
          "There is no presentation time in the buffer of sample \(number). A frame must have one.")
      }
      do throws(GStreamerError) {
        try await source.send(sample)
      } catch {
        // The reader of the stream is told of anything else that ends it.
        guard error.code == .notMappable else { return }
        throw CaptureError(.sourceFailed, "Frame \(number): \(error.message)", underlying: error)
      }
    }
  }

  /// The explanation of an error of its element.
  public nonisolated func explain(_ error: GStreamerError) -> CaptureError {
    guard let failure = failure.value, failure.message == error.message else {
      return CaptureError(ofSource: error)
    }
    return failure
  }
}
