// The table that grows while cases are measured.

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
