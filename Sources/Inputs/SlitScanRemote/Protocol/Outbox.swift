// The outbox holds the messages that were not sent to a client yet. A value.

import FoundationEssentials
import SlitScanStage

/// News and frames that go to a client next; each is bounded.
struct Outbox: Sendable {
  enum Item: Sendable, Equatable {
    /// That we are here.
    case here
    /// The parameters, once.
    case surface
    /// Everything, or what has changed.
    case update(Update, isWhole: Bool)
    case frame(Data)
    case thumbnail(Thumbnail, Data)
  }

  private var mustSayHere = false
  private var knowsSurface = false
  private var knowsState = false
  private var update: Update
  private var frame: Data?
  private var looks = false
  private var hasSeen = true
  /// The thumbnails that the client has not got as they are, in the order in which they came.
  private var thumbnails: [(Thumbnail, jpeg: Data)]
  /// The kinds of news; the one that went last is the last.
  private var turns = [Turn.frame, .thumbnail, .update]

  private enum Turn { case update, frame, thumbnail }

  /// - Parameter thumbnails: Those that there are.
  init(_ state: Update, thumbnails: [Thumbnail: Data] = [:]) {
    update = state
    self.thumbnails = thumbnails.map { ($0, $1) }
  }

  mutating func note(_ body: (inout Update) -> Void) { body(&update) }

  mutating func sayHere() { mustSayHere = true }

  /// Begins or ends the sending of frames.
  mutating func look(_ looks: Bool) {
    self.looks = looks
    hasSeen = true
    if !looks { frame = nil }
  }

  mutating func seen() { hasSeen = true }

  /// Whether a frame would go at once.
  var wantsFrame: Bool { looks && hasSeen && frame == nil }

  /// Queues a frame, unless the client has not shown the last one yet.
  mutating func show(_ jpeg: Data) {
    if wantsFrame { frame = jpeg }
  }

  /// Queues a thumbnail, in the place of an earlier one of the same thing.
  mutating func show(_ thumbnail: Thumbnail, _ jpeg: Data) {
    if let place = thumbnails.firstIndex(where: { $0.0 == thumbnail }) {
      thumbnails[place].jpeg = jpeg
    } else {
      thumbnails.append((thumbnail, jpeg))
    }
  }

  /// The next message; nil where there is none.
  ///
  /// Updates, frames and thumbnails take turns, so that there are all of them also while something always changes.
  mutating func next() -> Item? {
    if mustSayHere {
      mustSayHere = false
      return .here
    }
    if !knowsSurface {
      knowsSurface = true
      return .surface
    }
    for turn in knowsState ? turns : [.update] {
      guard let item = next(of: turn) else { continue }
      turns.removeAll { $0 == turn }
      turns.append(turn)
      return item
    }
    return nil
  }

  private mutating func next(of turn: Turn) -> Item? {
    switch turn {
    case .update:
      guard !update.isEmpty else { return nil }
      defer {
        update = Update()
        knowsState = true
      }
      return .update(update, isWhole: !knowsState)
    case .frame:
      guard let frame else { return nil }
      self.frame = nil
      hasSeen = false
      return .frame(frame)
    case .thumbnail:
      guard looks, !thumbnails.isEmpty else { return nil }
      let (thumbnail, jpeg) = thumbnails.removeFirst()
      return .thumbnail(thumbnail, jpeg)
    }
  }
}
