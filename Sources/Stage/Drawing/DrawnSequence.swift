// A drawn sequence draws what a rehearsal has drawn again, frame by frame.

import GStreamer
import SlitScanCapture
import StreamingThread

/// A change of a drawing at its moment, for one that is drawn again elsewhere.
struct DrawingEntry: Sendable {
  enum Change: Sendable, Hashable {
    case move(DrawingMove)
    /// Undo brought back what was drawn when it was of this version last.
    case restore
  }

  let moment: ContinuousClock.Instant
  let change: Change
  /// Whether the drawing is the map afterwards.
  let isMap: Bool
  let version: Int
}

extension MapImageSequence {
  /// - Parameter begin: The moment of the first frame.
  init(_ entries: [DrawingEntry], from begin: ContinuousClock.Instant) {
    let content = entries.map { entry in
      "\((entry.moment - begin) / .nanoseconds(1)) \(entry.change) \(entry.isMap) \(entry.version)"
    }
    self.init(content: content.joined(separator: "\n")) { aspect in
      let drawer = Lock(Drawer(entries, from: begin, aspect: aspect))
      return { time in try drawer.withLock { try $0.image(at: time) } }
    }
  }
}

/// Draws what was drawn, up to a time.
private struct Drawer: Sendable {
  private let entries: [DrawingEntry]
  private let begin: ContinuousClock.Instant
  private let aspect: Double
  /// The versions that undo brings back, and what they were when they were left last.
  private let wanted: Set<Int>
  private var kept: [Int: Painting] = [:]
  private var next = 0
  private var drawing = Drawing()
  private var strokes = OpenStrokes()

  init(_ entries: [DrawingEntry], from begin: ContinuousClock.Instant, aspect: Double) {
    self.entries = entries
    self.begin = begin
    self.aspect = aspect
    wanted = Set(entries.filter { $0.change == .restore }.map(\.version))
  }

  mutating func image(at time: ClockTime) throws -> MapImage? {
    let now = begin + .nanoseconds(Int64(clamping: time.nanoseconds))
    // As all changes of a timeline: those of the very beginning come with the first frame, others with the first
    // frame after them.
    while next < entries.count, entries[next].moment < now || entries[next].moment <= begin {
      apply(entries[next])
      next += 1
    }
    drawing.painting?.advance(to: now)
    return drawing.isMap ? try drawing.painting?.image() : nil
  }

  private mutating func apply(_ entry: DrawingEntry) {
    drawing.painting?.advance(to: entry.moment)
    if wanted.contains(drawing.version) { kept[drawing.version] = drawing.painting }
    switch entry.change {
    case .move(let move):
      drawing.apply(move, &strokes, aspect: aspect, at: entry.moment)
      drawing.version = entry.version
    case .restore:
      drawing.restore(
        kept[entry.version], version: entry.version, &strokes, at: entry.moment)
    }
    drawing.isMap = entry.isMap
  }
}
