// The in-memory source delivers buffers that the program has made.

import GStreamer

/// Samples that a program has or makes.
///
/// Each element gets them from the start. Each sample must say when it is shown: the source fails with
/// ``CaptureError/Code/noTime`` at one whose buffer has no presentation time.
public actor InMemorySource: FrameSource {
  private let make: @Sendable (Int) async throws -> Sample?
  private var feeders: [Task<Void, Never>] = []

  /// Samples that are there already, in order.
  public init(_ samples: [Sample]) {
    self.init { $0 < samples.count ? samples[$0] : nil }
  }

  /// Samples that are made when they are wanted.
  ///
  /// - Parameter make: Gets the number of a sample, from 0 on; nil ends the stream. When it throws, it
  ///   ends there, too.
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
    let make = make
    feeders.append(
      Task.detached {
        var number = 0
        do {
          while let sample = try? await make(number) {
            if let buffer = sample.buffer, buffer.presentationTime == nil {
              return await Self.fail(source, "\(Self.noTime)\(number).")
            }
            try await source.send(sample)
            number += 1
          }
        } catch let error as GStreamerError where error.code == .notMappable {
          return await Self.fail(source, "Frame \(number): \(error.message)")
        } catch {
          // The reader of the stream is told why it ends.
        }
        try? await source.finish()
      })
    return source.element
  }

  /// Posts an error, once there is a pipeline that hears it.
  private static func fail(_ source: AppSrc, _ message: String) async {
    guard (try? await source.untilWanted()) != nil else { return }
    source.element.fail(message)
  }

  /// The beginning of what its element says of a sample without a time.
  private static let noTime = "There is no presentation time in the buffer of sample "

  /// The explanation of an error of its element.
  public nonisolated func explain(_ error: GStreamerError) -> CaptureError {
    guard error.message.hasPrefix(Self.noTime) else { return CaptureError(ofSource: error) }
    return CaptureError(.noTime, "A frame must have a timestamp.", underlying: error)
  }
}
