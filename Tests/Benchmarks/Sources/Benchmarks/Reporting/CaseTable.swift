// The table of measured cases and their costs.

/// Cases, and the table of what they cost.
struct CaseTable {
  private let cases: [BenchCase]

  init(_ cases: [BenchCase]) { self.cases = cases }

  /// Measures one case after another, printing a line for each.
  func measure(_ effort: Effort, _ report: ReportOptions) throws -> [Measurement] {
    let subjects = SubjectColumns(cases)
    let table = Table(columns: subjects.columns + MeasurementColumns.columns)
    report.say(Machine.current.summary)
    report.say("\(subjects.shared); medians of \(effort.runs) runs of \(effort.frames) frames")
    report.say("")
    report.say(table.header)
    return try cases.map { wanted in
      let measurement = try Measurement(of: wanted, effort: effort)
      report.say(table.line(subjects.cells(wanted) + MeasurementColumns.cells(measurement)))
      return measurement
    }
  }
}

/// The facts that distinguish cases, and those that they share.
struct SubjectColumns {
  /// Something that is said of a case, in the order of the columns.
  enum Fact: String, CaseIterable {
    case mode, map, format, size, depth, interpolation, threads

    fileprivate func text(_ subject: BenchCase) -> String {
      switch self {
      case .mode: subject.mode.rawValue
      case .map: subject.map.rawValue
      case .format: subject.format.rawValue
      case .size: "\(subject.size)"
      case .depth: subject.depth.map(String.init) ?? "–"
      case .interpolation: subject.interpolation?.rawValue ?? "–"
      case .threads: subject.threads == 0 ? "all" : "\(subject.threads)"
      }
    }
  }

  /// The facts that differ, and the map in any case.
  private var varying: [Fact] = []
  /// The facts that all cases share: "mode displace, format I420".
  let shared: String
  let columns: [Table.Column]

  /// - Parameter facts: What is said elsewhere.
  init(_ cases: [BenchCase], without facts: Set<Fact> = []) {
    var shared: [String] = []
    var columns: [Table.Column] = []
    for fact in Fact.allCases where !facts.contains(fact) {
      let cells = cases.map(fact.text)
      if let first = cells.first, cells.allSatisfy({ $0 == first }), fact != .map {
        if first != "–" { shared.append("\(fact.rawValue) \(first)") }
      } else {
        varying.append(fact)
        columns.append(.text(fact.rawValue, cells))
      }
    }
    self.shared = shared.joined(separator: ", ")
    self.columns = columns
  }

  /// The cells of a case.
  func cells(_ subject: BenchCase) -> [String] { varying.map { $0.text(subject) } }
}

/// Titles and cells of a measurement.
enum MeasurementColumns {
  static let columns: [Table.Column] = [
    .number("ms"), .number("frames/s"), .number("MB/frame"), .number("GB/s"),
    .number("memcpy ms"), .number("× memcpy"), .number("allocs"), .number("history MB"),
    .number("resident MB"), .number("peak MB"),
  ]

  static func cells(_ measurement: Measurement) -> [String] {
    [
      measurement.milliseconds.digits(3), measurement.framesPerSecond.digits(1),
      megabytes(measurement.bytesMoved), measurement.gigabytesPerSecond.digits(1),
      measurement.memcpyMilliseconds.digits(3), measurement.ratio.digits(2),
      measurement.allocationsPerFrame.map { $0.digits(1) } ?? "–",
      megabytes(measurement.historyBytes), megabytes(measurement.residentBytes),
      megabytes(measurement.peakBytes),
    ]
  }

  private static func megabytes(_ bytes: Int) -> String { (Double(bytes) / 1e6).digits(1) }
}
