// `slitscan properties`: what --set takes.

import ArgumentParser
import GStreamer
import SlitScanCapture

struct PropertiesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "properties",
    abstract: "List the properties of the effect, as --set takes them.",
    discussion: """
        slitscan properties
        slitscan properties depth

      \(ExitStatus.help)
      """)

  @Argument(help: "The property to describe.")
  var name: String?

  @Flag(help: "Print for programs: one JSON object a line.")
  var json = false

  func run() async throws {
    let wanted = name
    let properties = try await endingAsSaid(json: json) {
      let all = try SettledScan.makeElement().properties
        .filter { !$0.isInherited }.sorted { $0.name < $1.name }
      guard let wanted else { return all }
      let names = all.map(\.name)
      let spelling = Spelling(wanted, in: names)
      let found = all.filter { $0.name == spelling.match }
      guard !found.isEmpty else {
        throw CaptureError(
          .badScan,
          "There is no property \(wanted).\(spelling.question) There are: "
            + "\(names.joined(separator: ", ")).")
      }
      return found
    }
    if json {
      for property in properties { try printJSON(PropertyLine(property)) }
    } else if name != nil, let property = properties.first {
      print("\(property.name): \(property.summary)")
      print("  values   \(property.kind.words)")
      print("  default  \(property.standardText)")
      if !property.isWritable { print("  read only") }
      if property.isControllable { print("  can move by itself: drive, glides, controllers") }
    } else {
      let width = properties.map(\.name.count).max() ?? 0
      for property in properties {
        print(
          property.name + String(repeating: " ", count: width - property.name.count + 2)
            + "\(property.summary). \(property.isWritable ? "" : "Read only. ")"
            + "Default \(property.standardText); \(property.kind.words)")
      }
    }
  }
}

/// A property, as a line of JSON.
private struct PropertyLine: Encodable {
  let name: String
  let summary: String
  let values: String
  let choices: [String]?
  let minimum: Double?
  let maximum: Double?
  let standard: String
  let writable: Bool
  let controllable: Bool

  private enum CodingKeys: String, CodingKey {
    case name, summary, values, choices, minimum, maximum, writable, controllable
    case standard = "default"
  }

  init(_ property: Property) {
    name = property.name
    summary = property.summary
    values = property.kind.words
    var choices: [String]?
    var range: ClosedRange<Double>?
    switch property.kind {
    case .choice(let nicks): choices = nicks
    case .integer(let whole): range = Double(whole.lowerBound)...Double(whole.upperBound)
    case .natural(let whole): range = Double(whole.lowerBound)...Double(whole.upperBound)
    case .number(let numbers): range = numbers
    default: break
    }
    self.choices = choices
    minimum = range?.lowerBound
    maximum = range?.upperBound
    standard = property.standardText
    writable = property.isWritable
    controllable = property.isControllable
  }
}

extension Property {
  /// The default, as --set takes it.
  fileprivate var standardText: String {
    switch standard {
    case .none: "none"
    default: standard.text
    }
  }
}
