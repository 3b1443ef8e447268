// A client message is a message from the page: a move, or a note about the preview.

import FoundationEssentials
import SlitScanStage

/// A message of a client: a move as a line of text, or an object of JSON with one field.
///
/// ```
/// preset Vortex 4
/// {"look":true}
/// {"seen":true}
/// {"here":true}
/// ```
enum ClientMessage: Sendable, Equatable {
  /// Something is to be done.
  case move(Move)
  /// Whether the client looks at the frames.
  case look(Bool)
  /// The last frame was shown, and another may come.
  case seen
  /// It is there, and wants to know whether we are.
  case here

  /// - Throws: ``StageError/Code/badMove``.
  init(_ text: String) throws(StageError) {
    let text = text.drop(while: \.isWhitespace)
    guard text.first == "{" else {
      self = .move(try Move(String(text)))
      return
    }
    switch try? JSONDecoder().decode([String: Bool].self, from: Data(text.utf8)) {
    case ["look": true]: self = .look(true)
    case ["look": false]: self = .look(false)
    case ["seen": true]: self = .seen
    case ["here": true]: self = .here
    default:
      throw StageError(
        .badMove,
        #"This is not a message. There are moves, {"look":true}, {"seen":true} and {"here":true}."#)
    }
  }
}
