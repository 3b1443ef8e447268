// The columns that say what was measured: only what differs between the lines.

/// What distinguishes the cases of a table, and what they share.
struct SubjectColumns {
  /// What is said of a case, in the order of the columns.
  private static let facts: [(title: String, text: @Sendable (BenchCase) -> String)] = [
    ("mode", { $0.mode.rawValue }),
    ("map", { $0.map.rawValue }),
    ("format", { $0.format.rawValue }),
    ("size", { "\($0.size)" }),
    ("depth", { $0.depth.map(String.init) ?? "–" }),
    ("interpolation", { $0.interpolation?.rawValue ?? "–" }),
    ("threads", { $0.threads == 0 ? "all" : "\($0.threads)" }),
  ]

  /// The titles and cells of what differs.
  private var varying: [(title: String, text: (BenchCase) -> String)] = []
  /// What all cases share: "map rows, format I420".
  let shared: String
  let columns: [Table.Column]

  init(_ cases: [BenchCase]) {
    var shared: [String] = []
    var columns: [Table.Column] = []
    for fact in Self.facts {
      let cells = cases.map(fact.text)
      if let first = cells.first, cells.allSatisfy({ $0 == first }), fact.title != "map" {
        if first != "–" { shared.append("\(fact.title) \(first)") }
      } else {
        varying.append(fact)
        columns.append(.text(fact.title, cells))
      }
    }
    self.shared = shared.joined(separator: ", ")
    self.columns = columns
  }

  /// The cells of a case.
  func cells(_ subject: BenchCase) -> [String] { varying.map { $0.text(subject) } }
}
