// The past of a file: its end, which the effect has in its history before the first frame.

import GStreamer

extension CapturePipeline {
  /// The end of a file, which the effect shows as the past of its beginning, as in a loop.
  package struct Past: Sendable {
    let length: ClockTime
    let reserve: @Sendable (VideoInfo) -> Value?

    /// - Parameters:
    ///   - length: How much of it.
    ///   - reserve: The property `reserve` that frames of a format need to be kept; nil for as it is.
    package init(_ length: ClockTime, reserve: @escaping @Sendable (VideoInfo) -> Value?) {
      self.length = length
      self.reserve = reserve
    }
  }

  /// Holds up the first frame of a file that is to have a past.
  func holdFirstFrame(of stream: CaptureStream) throws(GStreamerError) -> BlockedPad? {
    guard past != nil, stream.input.source is FileSource else { return nil }
    return try stream.input.element.element(named: FileSource.converter).pad("src").hold(.buffer)
  }
}

extension CaptureStream {
  /// Gives the effect the end of a file as what was before the file's first frame.
  ///
  /// - Parameter hold: Holds that frame up meanwhile, before it is paced.
  func fill(_ past: CapturePipeline.Past?, _ hold: BlockedPad?) async {
    guard let past, let hold else { return }
    defer { hold.release() }
    await Deadline(in: Self.patience, on: clock).wait {
      if await comes(hold) { await read(past) }
    }
  }

  /// The time that a show waits for its past.
  private static let patience = Duration.seconds(2)

  private func read(_ past: CapturePipeline.Past) async {
    guard let path = (input.source as? FileSource)?.path,
      let sink = try? effect.element.pad("sink"), let segment = sink.segment,
      let caps = sink.caps, let info = try? VideoInfo(caps),
      let frames = try? await FittedSource(FileSource(path), like: caps)
        .frames(last: past.length)
    else { return }
    if let frames = past.reserve(info) { try? scan.set("reserve", to: frames) }
    if let end = frames.end, let before = try? Event.segment(from: end) {
      sink.receive(before)
      var iterator = frames.makeAsyncIterator()
      // A file that is damaged there has less of a past.
      while !Task.isCancelled, let frame = try? await iterator.next() {
        guard let time = frame.streamTime, let buffer = frame.buffer, time < end else { break }
        let duration = min(buffer.duration ?? .zero, end - time)
        guard let moved = try? buffer.moved(to: time, duration: duration), sink.receive(moved)
        else { break }
      }
      sink.receive(segment)
    }
    await frames.stop()
  }

  /// Whether a first frame comes.
  private func comes(_ hold: BlockedPad) async -> Bool {
    let messages = pipeline.bus.messages
    return await withTaskGroup { group in
      group.addTask { (try? await hold.reached()) != nil }
      group.addTask {
        for await message in messages where message.kind == .error || message.kind == .eos { break }
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }
}
