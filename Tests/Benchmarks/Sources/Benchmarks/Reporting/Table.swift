// Tables that are printed line by line as results arrive.

/// A table of aligned columns, numbers to the right.
struct Table {
  struct Column {
    var title: String
    /// The widest cell to be expected.
    var width = 0
    var isNumber = false

    /// A column of text whose cells are known.
    static func text(_ title: String, _ cells: [String]) -> Column {
      Column(title: title, width: cells.map(\.count).max() ?? 0)
    }

    /// A column of numbers.
    static func number(_ title: String, width: Int = 7) -> Column {
      Column(title: title, width: width, isNumber: true)
    }
  }

  var columns: [Column]

  /// The line of titles.
  var header: String { line(columns.map(\.title)) }

  /// A line of the table, a cell for each column.
  func line(_ cells: [String]) -> String {
    let padded = zip(columns, cells).map { column, cell in
      let gap = String(
        repeating: " ", count: max(max(column.width, column.title.count) - cell.count, 0))
      return column.isNumber ? gap + cell : cell + gap
    }
    return padded.joined(separator: "  ").trimmingSuffix(while: { $0 == " " })
  }
}

extension Double {
  /// The number with as many digits after the point.
  func digits(_ count: Int) -> String {
    guard isFinite else { return "–" }
    var scale = 1
    for _ in 0..<count { scale *= 10 }
    let scaled = Int((abs(self) * Double(scale)).rounded())
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard count > 0 else { return "\(sign)\(scaled)" }
    return "\(sign)\(scaled / scale).\(String(scaled % scale + scale).dropFirst())"
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return text
  }
}
