// Options that several commands share.

import ArgumentParser
import FoundationEssentials
import GStreamer
import SlitScanCapture
import SlitScanStage

struct PresetOptions: ParsableArguments {
  @Option(help: "A preset to start from; `slitscan presets` lists them.")
  var preset: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a property of the effect, such as map=radial; repeatable. `slitscan properties` lists the "
        + "properties.", valueName: "property=value"))
  var properties: [PropertySetting] = []

  func scan() -> Scan {
    Scan(
      preset: preset,
      Dictionary(properties.map { ($0.name, $0.value) }) { _, last in last })
  }

  /// The preset, where nothing else is set.
  var unchangedPreset: String? { properties.isEmpty ? preset : nil }
}

struct HistoryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Folder on a fast disk that keeps the history that does not fit into max-memory. (default: none, history is in memory)",
      valueName: "folder"))
  var historyLocation: String?

  /// A scan with its history where the option says.
  ///
  /// - Throws: ``CommandError`` where there is no such folder.
  func locate(_ scan: Scan) throws(CommandError) -> Scan {
    guard let historyLocation else { return scan }
    guard scan.properties["history-location"] == nil else {
      throw CommandError(
        "--history-location and --set history-location say the same. Use one of them.")
    }
    guard historyLocation.isFolder, FileManager.default.isWritableFile(atPath: historyLocation)
    else {
      throw CommandError(
        "--history-location \(historyLocation): the folder does not exist or is not writable.")
    }
    var scan = scan
    scan.properties["history-location"] = .string(historyLocation)
    return scan
  }
}

struct PropertySetting: ExpressibleByArgument {
  let name: String
  let value: Value

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
      return nil
    }
    name = String(argument[..<equals])
    value = .string(String(argument[argument.index(after: equals)...]))
  }
}

extension ClockTime: ExpressibleByArgument {
  /// A time such as `90s`, `1.5s` or `2min`; a number alone is in seconds.
  public init?(argument: String) {
    if let time = PropertyUnit.time(argument) {
      self = time
    } else if let seconds = Double(argument), 0...1e9 ~= seconds {
      self = .seconds(seconds)
    } else {
      return nil
    }
  }
}

extension GPUUse: ExpressibleByArgument {}

struct ReplayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Perform the moves of a file from slitscan live --moves.", valueName: "file")
  )
  var replay: String?

  @Option(
    help: ArgumentHelp(
      "Which show of the --replay file, 1 for the first. (default: the last)", valueName: "number"))
  var replayShow: Int?

  func validate() throws {
    if replayShow != nil, replay == nil {
      throw ValidationError("--replay-show says which show of a --replay file. Name the file, too.")
    }
  }

  /// The show; nil where there is none.
  func script() throws(StageError) -> MoveScript? {
    try replay.map { (path) throws(StageError) in try MoveScript(file: path, show: replayShow) }
  }
}

struct TempoOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Initial tempo, in beats per minute.", valueName: "tempo"))
  var bpm = 120.0

  func validate() throws {
    guard Tempo.range.contains(bpm) else {
      throw ValidationError("--bpm must be a number from 20 to 400, not \(bpm).")
    }
  }
}

extension Array {
  /// The elements with a name that was typed, or all where none was.
  ///
  /// - Throws: ``CaptureError/Code/badScan`` where there is none, with the name that was probably meant.
  func named(
    _ wanted: String?, _ kind: String, _ name: (Element) -> String
  ) throws(CaptureError) -> [Element] {
    guard let wanted else { return self }
    let names = map(name)
    let spelling = Spelling(wanted, in: names)
    let found = filter { name($0) == spelling.match }
    guard !found.isEmpty else {
      throw CaptureError(
        .badScan,
        "There is no \(kind) \(wanted).\(spelling.question) There are: "
          + "\(names.joined(separator: ", ")).")
    }
    return found
  }
}
