// A client message is a message from the page: a move, or a note about the preview.

import FoundationEssentials
import GStreamer
import SlitScanStage

/// A message of a client: a move as a line of text, or an object of JSON with one field.
///
/// ```
/// preset Vortex 4
/// {"fade":["mix",0.5]}
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
    guard let object = try? JSONDecoder().decode(Object.self, from: Data(text.utf8)),
      let message = object.message
    else {
      throw StageError(
        .badMove,
        #"This is not a message. There are moves, {"fade":[PROPERTY,PLACE]}, {"look":true}, {"seen":true} and {"here":true}."#
      )
    }
    self = message
  }

  private struct Object: Decodable {
    var fade: Fade?
    var look: Bool?
    var seen: Bool?
    var here: Bool?

    var message: ClientMessage? {
      switch (fade, look, seen, here) {
      case (let fade?, nil, nil, nil): .move(.fade(fade.name, fade.place))
      case (nil, let look?, nil, nil): .look(look)
      case (nil, nil, true?, nil): .seen
      case (nil, nil, nil, true?): .here
      default: nil
      }
    }
  }

  private struct Fade: Decodable {
    let name: String
    let place: Double

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      name = try container.decode(String.self)
      place = try container.decode(Double.self)
      guard container.isAtEnd, place.isFinite else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no place")
      }
    }
  }
}
