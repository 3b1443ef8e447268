// The columns that say what was measured: only what differs between the lines.

/// What distinguishes cases, and what they share.
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

  /// What differs, and the map in any case.
  private var varying: [Fact] = []
  /// What all cases share: "mode displace, format I420".
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
