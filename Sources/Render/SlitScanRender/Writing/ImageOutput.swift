// The image output writes each frame that a pipeline gives into a file of its own.

import FoundationEssentials
import GStreamer
import LibC
import SlitScanCapture
import StreamingThread

/// The images of a film, on their way into files.
final class ImageOutput: UnfinishedOutput {
  private let images: UnfinishedImages
  private let format: ImageFormat
  private let firstNumber: Int
  private let state = Lock(State())

  private struct State {
    var byteCount = 0
    var writing: Task<Void, Never>?
  }

  /// Images that are not made yet.
  ///
  /// - Parameter firstNumber: The number of the first one.
  init(_ images: UnfinishedImages, _ format: ImageFormat, firstNumber: Int) {
    self.images = images
    self.format = format
    self.firstNumber = firstNumber
  }

  var path: String { images.pattern.path }
  var isStream: Bool { false }
  var byteCount: Int { state.withLock { $0.byteCount } }

  func create() async throws { try images.create() }

  func requireFolder() throws(CaptureError) { try images.requireFolder() }

  func connect(
    to sink: Element, isTrial: Bool, _ fail: @escaping @Sendable (CaptureError) -> Void
  ) throws(GStreamerError) {
    let samples = try AppSink(sink, delivery: .lossless(queue: 2)).samples
    let writing = Task {
      do throws(CaptureError) {
        try await explained(otherwise: .encoderFailed) { try await write(samples, isTrial) }
      } catch {
        // The pipeline says by itself why it has failed.
        if error.underlying == nil { fail(error) }
      }
    }
    state.withLock { $0.writing = writing }
  }

  func drain() async { await state.withLock { $0.writing }?.value }

  func complete() throws(CaptureError) { try images.complete() }

  func remove() { images.remove() }

  /// Writes images, as many at a time as there are processors.
  private func write(_ samples: Samples, _ isTrial: Bool) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      var (number, count) = (firstNumber, 0)
      for try await sample in samples {
        if count >= ProcessInfo.processInfo.activeProcessorCount {
          try await group.next()
          count -= 1
        }
        let path = isTrial ? "/dev/null" : images.temporaryPath(number)
        group.addTask { [number] in try self.write(sample, number, to: path) }
        (number, count) = (number + 1, count + 1)
      }
      try await group.waitForAll()
    }
  }

  private func write(_ sample: Sample, _ number: Int, to path: String) throws {
    if format.kind == .png {
      try writePNG(sample, to: path, called: images.pattern.path(number))
    } else if let buffer = sample.buffer {
      try write(buffer, to: path, called: images.pattern.path(number))
    }
    let size = SlitScanRender.byteCount(ofFile: path)
    state.withLock { $0.byteCount += size }
  }

  private func writePNG(_ sample: Sample, to path: String, called name: String) throws {
    let frame = try sample.videoFrame()
    let info = frame.info
    let channels = info.chromaSubsampling == nil ? 1 : info.hasAlpha ? 4 : 3
    let file = try PNGFile.create(
      path, called: name, width: info.width, height: info.height,
      PNGPixels(
        channels: channels, bits: info.bitDepth > 8 ? 16 : 8, isOpaque: format.isOpaque))
    for row in 0..<info.height { try file.write(frame.row(row, ofPlane: 0)) }
    try file.finish()
  }

  private func write(_ buffer: Buffer, to path: String, called name: String) throws {
    let mapping = try buffer.map()
    let failure = unsafe mapping.bytes.withUnsafeBytes { bytes -> Int32? in
      guard let file = unsafe fopen(path, "wbe") else { return errno }
      let count = unsafe fwrite(bytes.baseAddress, 1, bytes.count, file)
      let number = errno
      guard unsafe fclose(file) == 0 else { return errno }
      return count == bytes.count ? nil : number
    }
    guard let failure else { return }
    throw CaptureError(
      system: failure, writing: name, unsafe String(cString: strerror(failure)))
  }
}
