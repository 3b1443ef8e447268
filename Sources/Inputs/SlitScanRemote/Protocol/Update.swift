// An update collects what has changed since a client was last told. A value.

import GStreamer
import SlitScanStage

/// The changes since a client was last told; or the full state.
///
/// It never gets larger than the full state: what has changed twice is told once. So the queue of a slow
/// client does not grow. A phone is told the names of files, and no folders.
struct Update: Sendable, Equatable {
  /// The most sentences that wait for a client; older ones go.
  static let noteLimit = 8

  /// A sentence for people, without addresses of streams and without folders.
  struct Note: Sendable, Equatable {
    let kind: String
    let text: String

    init(kind: String, text: String) {
      self.kind = kind
      self.text = PathRedactor.redacted(text)
    }
  }

  private struct Recording: Sendable, Equatable {
    let name: String
    let start: ContinuousClock.Instant
  }

  private(set) var values: [String: Value] = [:]
  private(set) var notes: [Note] = []
  /// The fields that a client is told as they are.
  private(set) var fields: [String: JSON] = [:]
  private var drives: [String: JSON] = [:]
  private var decks: [String: JSON] = [:]
  // A client is told how far away these are when it is told of them.
  private var tempo: Tempo?
  private var waiting: [String: WaitingChange?] = [:]
  private var recording: Recording??

  init() {}

  init(_ state: PerformanceState, at now: ContinuousClock.Instant) {
    for change in state.changes { add(change, at: now) }
  }

  var isEmpty: Bool { self == Update() }

  mutating func add(_ change: Change, at now: ContinuousClock.Instant) {
    switch change {
    case .property(let name, let value): values[name] = value
    case .driven(let name, let drive): drives[name] = JSON(drive.map { Move.drive("", $0).line })
    case .preset(let name): fields["preset"] = JSON(name)
    case .presets(let names): fields["presets"] = .texts(names)
    case .mapImages(let names): fields["map-images"] = .texts(names)
    case .assignments(let list, let learning):
      fields["midi"] =
        list.map { ["assignments": .array($0.map(Self.json)), "learning": JSON(learning)] } ?? .null
    case .deck(let deck, let name): decks[deck.rawValue] = .text(name)
    case .crossfade(let place): fields["crossfade"] = .finite(place)
    case .sources(let names): fields["sources"] = ControlSurface.sources(names)
    case .source(let number): fields["source"] = .finite(Double(number))
    case .mapSource(let number): fields["map-source"] = .finite(Double(number))
    case .drawing(let isMap, let fade):
      fields["drawing"] = ["map": .bool(isMap), "fade": .finite(fade)]
      // The strokes are the map, and no source is.
      if isMap { fields["map-source"] = nil }
    case .tempo(let tempo): self.tempo = tempo
    case .quantize(let beats): fields["quantize"] = .finite(beats)
    case .glide(let beats): fields["glide"] = .finite(beats)
    case .waiting(let kind, let change): waiting.updateValue(change, forKey: kind)
    case .recording(let path):
      recording = .some(path.map { Recording(name: $0.fileName, start: now) })
      fields["lost"] = .finite(0)
    case .framesLost(let count): fields["lost"] = .finite(Double(count))
    case .recorded(let path): add(Note(kind: "notice", text: "Recorded \(path.fileName)"))
    case .snapshot(let path): add(Note(kind: "notice", text: "Saved \(path.fileName)"))
    case .recordingLost(let path, let reason):
      add(Note(kind: "trouble", text: "\(path.fileName): \(reason)"))
    case .blackout(let isBlack): fields["black"] = .bool(isBlack)
    case .warning(let text): add(Note(kind: "trouble", text: text))
    case .notice(let text): add(Note(kind: "notice", text: text))
    case .followsSound, .closeRequested: break
    }
  }

  mutating func add(_ note: Note) {
    notes.append(note)
    if notes.count > Self.noteLimit { notes.removeFirst() }
  }

  /// Keeps how things are, and no sentences.
  mutating func forgetNotes() { notes = [] }

  var isRecording: Bool { if case .some(.some) = recording { true } else { false } }

  /// As clients are told it.
  func json(_ parameters: Parameters, at now: ContinuousClock.Instant) -> JSON {
    var fields = fields
    let offered = values.filter { value in parameters[value.key]?.isForEverybody ?? false }
    if !offered.isEmpty {
      fields["values"] = .object(offered.mapValues { JSON($0) })
      let places = offered.compactMap { (name, value) in
        parameters[name]?.place(of: value).map { (name, JSON.finite($0)) }
      }
      let words = offered.compactMap { (name, value) in
        parameters[name].map { (name, JSON.text($0.words(of: value))) }
      }
      fields["words"] = .object(Dictionary(words) { _, last in last })
      fields["places"] = .object(Dictionary(places) { _, last in last })
    }
    if case .string(let path)? = values["map-location"] {
      fields["map-image"] = .text(path.fileName)
    }
    if !drives.isEmpty { fields["drives"] = .object(drives) }
    if !decks.isEmpty { fields["decks"] = .object(decks) }
    if let tempo {
      fields["tempo"] = [
        "bpm": .finite(tempo.beatsPerMinute), "beat": .finite(tempo.beat(at: now)),
      ]
    }
    if !waiting.isEmpty {
      fields["waiting"] = .object(
        waiting.mapValues { change in
          change.map {
            ["value": .text($0.value), "seconds": .finite(($0.moment - now) / .seconds(1))]
          }
            ?? .null
        })
    }
    if let recording {
      fields["recording"] =
        recording.map {
          ["name": .text($0.name), "seconds": .finite((now - $0.start) / .seconds(1))]
        } ?? .null
    }
    if !notes.isEmpty {
      fields["notes"] = .array(notes.map { ["kind": .text($0.kind), "text": .text($0.text)] })
    }
    return .object(fields)
  }

  private static func json(_ assignment: ControlAssignment) -> JSON {
    [
      "device": .text(assignment.device), "control": .text(assignment.control),
      "action": .text(PathRedactor.redacted(assignment.action)),
      "property": JSON(assignment.property),
    ]
  }
}
