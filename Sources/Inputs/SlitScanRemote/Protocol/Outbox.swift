// The outbox holds the messages that were not sent to a client yet. A value.

import Foundation
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
  }

  private var mustSayHere = false
  private var knowsSurface = false
  private var knowsState = false
  private var update: Update
  private var frame: Data?
  private var looks = false
  private var hasSeen = true
  /// Whether a frame goes before the next update.
  private var isFrameNext = false

  init(_ state: Update) { update = state }

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

  /// The next message; nil where there is none.
  ///
  /// Updates and frames take turns, so that there are frames also while something always changes.
  mutating func next() -> Item? {
    if mustSayHere {
      mustSayHere = false
      return .here
    }
    if !knowsSurface {
      knowsSurface = true
      return .surface
    }
    if !update.isEmpty, !isFrameNext || frame == nil {
      defer {
        update = Update()
        knowsState = true
        isFrameNext = true
      }
      return .update(update, isWhole: !knowsState)
    }
    if let frame {
      self.frame = nil
      hasSeen = false
      isFrameNext = false
      return .frame(frame)
    }
    return nil
  }
}
