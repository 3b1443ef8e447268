// An update collects what has changed since a client was last told. A value.

import GStreamer
import SlitScanStage

/// The changes since a client was last told; or the full state.
///
/// It never gets larger than the full state: what has changed twice is told once. So the queue of a slow
/// client does not grow.
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

  struct Recording: Sendable, Equatable {
    let name: String
    let start: ContinuousClock.Instant
  }

  struct Drawing: Sendable, Equatable {
    let isMap: Bool
    let fade: Double
  }

  struct Assignments: Sendable, Equatable {
    /// Nil where there is no MIDI.
    let list: [ControlAssignment]?
    let learning: String?
  }

  private(set) var values: [String: Value] = [:]
  private(set) var drives: [String: Drive?] = [:]
  private(set) var preset: String??
  private(set) var presets: [String]?
  private(set) var mapImages: [String]?
  private(set) var assignments: Assignments?
  private(set) var decks: [Deck: String] = [:]
  private(set) var crossfade: Double?
  private(set) var sources: [String]?
  private(set) var source: Int?
  private(set) var mapSource: Int?
  private(set) var drawing: Drawing?
  private(set) var tempo: Tempo?
  private(set) var quantize: Double?
  private(set) var glide: Double?
  private(set) var waiting: [String: WaitingChange?] = [:]
  private(set) var recording: Recording??
  private(set) var lostFrames: UInt64?
  private(set) var isBlack: Bool?
  private(set) var notes: [Note] = []

  init() {}

  init(_ state: PerformanceState, at now: ContinuousClock.Instant) {
    values = state.values
    drives = state.drives.mapValues { $0 }
    preset = .some(state.preset)
    mapImages = state.mapImages
    assignments = Assignments(list: state.assignments, learning: state.learning)
    decks = state.decks
    crossfade = state.crossfade
    source = state.source
    mapSource = state.mapSource
    drawing = Drawing(isMap: state.isDrawingMap, fade: state.drawingFade)
    tempo = state.tempo
    quantize = state.quantize
    glide = state.glide
    waiting = state.waiting.mapValues { $0 }
    recording = .some(state.recording.map { Recording(name: Self.name($0), start: now) })
    lostFrames = state.lostFrames
    isBlack = state.isBlack
  }

  var isEmpty: Bool { self == Update() }

  mutating func add(_ change: Change, at now: ContinuousClock.Instant) {
    switch change {
    case .property(let name, let value): values[name] = value
    case .driven(let name, let drive): drives.updateValue(drive, forKey: name)
    case .preset(let name): preset = .some(name)
    case .presets(let names): presets = names
    case .mapImages(let names): mapImages = names
    case .assignments(let list, let learning):
      assignments = Assignments(list: list, learning: learning)
    case .deck(let deck, let name): decks[deck] = name
    case .crossfade(let place): crossfade = place
    case .sources(let names): sources = names
    case .followsSound: break
    case .source(let number): source = number
    case .mapSource(let number): mapSource = number
    case .drawing(let isMap, let fade):
      drawing = Drawing(isMap: isMap, fade: fade)
      // The strokes are the map, and no source is.
      if isMap { mapSource = nil }
    case .tempo(let tempo): self.tempo = tempo
    case .quantize(let beats): quantize = beats
    case .glide(let beats): glide = beats
    case .waiting(let kind, let change): waiting.updateValue(change, forKey: kind)
    case .recording(let path):
      recording = .some(path.map { Recording(name: Self.name($0), start: now) })
      lostFrames = 0
    case .framesLost(let count): lostFrames = count
    case .recorded(let path): add(Note(kind: "notice", text: "Recorded \(Self.name(path))"))
    case .snapshot(let path): add(Note(kind: "notice", text: "Saved \(Self.name(path))"))
    case .recordingLost(let path, let reason):
      add(Note(kind: "trouble", text: "\(Self.name(path)): \(reason)"))
    case .closeRequested: break
    case .blackout(let isBlack): self.isBlack = isBlack
    case .warning(let text): add(Note(kind: "trouble", text: text))
    case .notice(let text): add(Note(kind: "notice", text: text))
    }
  }

  mutating func add(_ note: Note) {
    notes.append(note)
    if notes.count > Self.noteLimit { notes.removeFirst() }
  }

  /// Keeps how things are, and no sentences.
  mutating func forgetNotes() { notes = [] }

  var isRecording: Bool { if case .some(.some) = recording { true } else { false } }

  /// A phone is told no folders.
  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// As clients are told it.
  func json(_ parameters: Parameters, at now: ContinuousClock.Instant) -> JSON {
    var fields: [String: JSON] = [:]
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
    if !drives.isEmpty {
      fields["drives"] = .object(
        drives.mapValues { $0.map { .text(Move.drive("", $0).line) } ?? .null })
    }
    if let sources { fields["sources"] = ControlSurface.sources(sources) }
    if let mapImages { fields["map-images"] = .array(mapImages.map { .text($0) }) }
    if case .string(let path)? = values["map-location"] {
      fields["map-image"] = .text(Self.name(path))
    }
    if let assignments {
      fields["midi"] =
        assignments.list.map { list in
          [
            "assignments": .array(list.map { Self.json($0) }),
            "learning": assignments.learning.map { .text($0) } ?? .null,
          ]
        } ?? .null
    }
    if let presets { fields["presets"] = .array(presets.map { .text($0) }) }
    if let preset { fields["preset"] = preset.map { .text($0) } ?? .null }
    if !decks.isEmpty {
      fields["decks"] = .object(
        Dictionary(uniqueKeysWithValues: decks.map { ($0.rawValue, .text($1)) }))
    }
    if let crossfade { fields["crossfade"] = .finite(crossfade) }
    if let source { fields["source"] = .finite(Double(source)) }
    if let mapSource { fields["map-source"] = .finite(Double(mapSource)) }
    if let drawing {
      fields["drawing"] = ["map": .bool(drawing.isMap), "fade": .finite(drawing.fade)]
    }
    if let tempo {
      fields["tempo"] = [
        "bpm": .finite(tempo.beatsPerMinute), "beat": .finite(tempo.beat(at: now)),
      ]
    }
    if let quantize { fields["quantize"] = .finite(quantize) }
    if let glide { fields["glide"] = .finite(glide) }
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
    if let lostFrames { fields["lost"] = .finite(Double(lostFrames)) }
    if let isBlack { fields["black"] = .bool(isBlack) }
    if !notes.isEmpty {
      fields["notes"] = .array(notes.map { ["kind": .text($0.kind), "text": .text($0.text)] })
    }
    return .object(fields)
  }

  private static func json(_ assignment: ControlAssignment) -> JSON {
    [
      "device": .text(assignment.device), "control": .text(assignment.control),
      "action": .text(PathRedactor.redacted(assignment.action)),
      "property": assignment.property.map { .text($0) } ?? .null,
    ]
  }
}
