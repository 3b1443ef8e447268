// A change reports a new state of the performance to all of its listeners.

import GStreamer

/// Something that has changed in a performance, by any input.
///
/// Faders on controllers and phones follow these.
public enum Change: Sendable, Equatable {
  /// A property has another value.
  case property(String, Value)
  /// A property moves by itself, or does not any more.
  case driven(String, Drive?)
  /// A preset was gone to; nil where a property has been moved away from it.
  case preset(String?)
  /// There are other sources.
  case sources([String])
  /// Another source is shown, by its number from 1 on.
  case source(Int)
  /// Another source is the map `live`.
  case mapSource(Int)
  /// The drawing has become the map `live` or no longer is, or its strokes fade in another time, in seconds; 0 for
  /// strokes that stay.
  case drawing(isMap: Bool, fade: Double)
  /// The tempo.
  case tempo(Tempo)
  /// Whether the tempo follows the sound.
  case followsSound(Bool)
  /// The beats that changes wait for.
  case quantize(Double)
  /// The beats that a change of preset or source takes.
  case glide(Double)
  /// A change of this kind (`mode`, `map`, `preset` or `source`) waits for its beat; nil once it waits no longer.
  case waiting(String, WaitingChange?)
  /// A recording goes on, to this file; nil for none.
  case recording(String?)
  /// So many frames are missing by now in the recording that goes on, as its encoder or the disk is too slow.
  case framesLost(UInt64)
  /// A recording was completed.
  case recorded(String)
  /// A recording broke off: its file, and why.
  case recordingLost(String, String)
  /// A user asks to close the window of the last output that is open, which stays open.
  case closeRequested
  /// Another preset is at an end of the crossfader.
  case deck(Deck, String)
  /// The place of the crossfader, from 0 to 1.
  case crossfade(Double)
  /// There are other images in the folder of maps.
  case mapImages([String])
  /// MIDI controls do other things, or another property looks for its control; nil where there is no MIDI.
  case assignments([ControlAssignment]?, learning: String?)
  /// There are other presets.
  case presets([String])
  /// A still was written.
  case snapshot(String)
  /// Black is shown, or the video.
  case blackout(Bool)
  /// Something did not work, in a sentence; the show goes on.
  case warning(String)
  /// Something worth knowing: the camera is back, history is shorter than was asked for.
  case notice(String)
}

/// A change that waits for its beat.
public struct WaitingChange: Sendable, Hashable {
  /// The name of the preset, mode or map, or the number of the source.
  public let value: String
  /// When the change takes place.
  public let moment: ContinuousClock.Instant

  /// A change at a moment.
  public init(_ value: String, at moment: ContinuousClock.Instant) {
    self.value = value
    self.moment = moment
  }
}

/// The state of a performance at one moment.
public struct PerformanceState: Sendable, Equatable {
  /// The value of every property.
  public var values: [String: Value]
  /// The animations that are running.
  public var drives: [String: Drive] = [:]
  /// The preset that was gone to last, unless something was changed since.
  public var preset: String?
  /// The tempo.
  public var tempo: Tempo
  /// Whether the tempo follows the sound.
  public var followsSound = false
  /// The number of beats to which changes of mode, map, preset and source are quantized.
  public var quantize = 0.0
  /// The length of changes of preset and source, in beats.
  public var glide = 0.0
  /// The presets at the ends of the crossfader.
  public var decks: [Deck: String] = [:]
  /// The place of the crossfader, from 0 at deck A to 1 at deck B.
  public var crossfade = 0.0
  /// The changes that wait for their beat, by kind: `mode`, `map`, `preset` or `source`.
  public var waiting: [String: WaitingChange] = [:]
  /// The number of the source that is shown, from 1 on.
  public var source = 1
  /// The number of the source that is the map `live`; nil for none.
  public var mapSource: Int?
  /// The names of the images in the folder of maps, when it was last looked into.
  public var mapImages: [String] = []
  /// The controls of MIDI devices that do something; nil where there is no MIDI.
  public var assignments: [ControlAssignment]?
  /// The property that looks for its control.
  public var learning: String?
  var drawing = Drawing()
  /// The file of the recording that goes on.
  public var recording: String?
  /// The frames that are missing in it.
  public var lostFrames: UInt64 = 0
  /// Whether black is shown.
  public var isBlack = false

  /// A performance that begins.
  public init(values: [String: Value], tempo: Tempo = Tempo()) {
    self.values = values
    self.tempo = tempo
  }
}

extension PerformanceState {
  /// The changes that tell a listener who knows nothing yet of the state; what there is none of is not among them.
  package var changes: [Change] {
    var changes = values.map { Change.property($0, $1) }
    changes += drives.map { Change.driven($0, $1) }
    changes += decks.map { Change.deck($0, $1) }
    changes += waiting.map { Change.waiting($0, $1) }
    changes += [
      .preset(preset), .mapImages(mapImages), .assignments(assignments, learning: learning),
      .crossfade(crossfade), .source(source), .drawing(isMap: isDrawingMap, fade: drawingFade),
      .tempo(tempo), .followsSound(followsSound), .quantize(quantize), .glide(glide),
      .recording(recording), .framesLost(lostFrames), .blackout(isBlack),
    ]
    if let mapSource { changes.append(.mapSource(mapSource)) }
    return changes
  }
}
