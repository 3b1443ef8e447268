// The command `slitscan properties` lists the properties that --set takes.

import ArgumentParser
import GStreamer
import GstSlitScan
import SlitScanCapture
import SlitScanStage

struct PropertiesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "properties",
    abstract: "List the properties of the effect, which --set sets.",
    discussion: """
        slitscan properties
        slitscan properties depth

      \(ExitStatus.help)
      """)

  @Argument(help: "Property to describe in full.")
  var name: String?

  @Flag(help: "Print JSON for other programs: one object per line.")
  var json = false

  func run() async throws {
    let wanted = name
    let lines = try await endingAsSaid(json: json) {
      let element = try ValidatedScan.makeElement()
      let all = element.properties.filter { !$0.isInherited }.sorted { $0.name < $1.name }
        .map { PropertyLine($0, of: element) }
      return try all.named(wanted, "property", \.name)
    }
    if json {
      for line in lines { try printJSON(line) }
    } else if name != nil, let line = lines.first {
      print("\(line.name): \(line.summary)")
      print("  values   \(line.readableValues)")
      if let unit = line.unit { print("  unit     \(unit)") }
      print("  default  \(line.readableDefault)")
      if !line.writable { print("  read only") }
      if line.controllable { print("  can be animated: drive, glides, controllers") }
    } else {
      let width = lines.map(\.name.count).max() ?? 0
      for line in lines {
        print(
          "\(line.name.padded(to: width))  \(line.summary). \(line.writable ? "" : "Read only. ")"
            + "Default \(line.readableDefault); \(line.readableValues)")
      }
    }
  }
}

/// The description of a property, and its line of JSON.
private struct PropertyLine: Encodable {
  let name: String
  let summary: String
  let group: String?
  let values: String
  let unit: String?
  let choices: [String]?
  let minimum: Double?
  let maximum: Double?
  let defaultValue: String
  /// The values and the default for people, with their units.
  let readableValues: String
  let readableDefault: String
  let writable: Bool
  let controllable: Bool

  private enum CodingKeys: String, CodingKey {
    case name, summary, group, values, unit, choices, minimum, maximum, writable, controllable
    case defaultValue = "default"
  }

  init(_ property: Property, of element: Element) {
    name = property.name
    summary = property.summary
    group = element.note(GST_SLIT_SCAN_GROUP, of: property.name)
    unit = element.note(GST_SLIT_SCAN_UNIT, of: property.name)
    values = property.kind.words
    choices = if case .choice(let nicks) = property.kind { nicks } else { nil }
    minimum = property.kind.range?.lowerBound
    maximum = property.kind.range?.upperBound
    defaultValue = property.defaultValue == .none ? "none" : property.defaultValue.text
    let propertyUnit = PropertyUnit(of: property.name, in: element)
    readableValues = propertyUnit?.words ?? values
    readableDefault =
      UInt64(from: property.defaultValue).flatMap { propertyUnit?.text($0) } ?? defaultValue
    writable = property.isWritable
    controllable = property.isControllable
  }
}
