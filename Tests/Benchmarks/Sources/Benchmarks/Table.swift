// The one writer of results: a line as soon as it is measured, aligned for people or as CSV.

import ArgumentParser
import Foundation

/// The format in which results are printed.
struct TableOptions: ParsableArguments {
  @Flag(help: "Print comma-separated values for other programs.")
  var csv = false
}

/// A table of columns, text to the left and numbers to the right.
struct Table {
  struct Column {
    var title: String
    /// The widest cell to be expected.
    var width: Int
    var isNumber: Bool

    static func text(_ title: String, _ width: Int) -> Column {
      Column(title: title, width: width, isNumber: false)
    }

    static func number(_ title: String, _ width: Int = 6) -> Column {
      Column(title: title, width: width, isNumber: true)
    }
  }

  let columns: [Column]
  let options: TableOptions

  /// Prints the line of titles, for people under the machine and a heading.
  init(_ heading: String, _ columns: [Column], _ options: TableOptions) {
    self.columns = columns
    self.options = options
    if !options.csv { write("\(Machine.summary)\n\(heading)\n") }
    print(columns.map(\.title))
  }

  /// Prints a line, a cell for each column.
  func print(_ cells: [String]) {
    let padded = zip(columns, cells).map { column, cell in
      let gap = String(
        repeating: " ", count: max(0, max(column.width, column.title.count) - cell.count))
      return column.isNumber ? gap + cell : cell + gap
    }
    write(options.csv ? cells.joined(separator: ",") : padded.joined(separator: "  "))
  }

  /// Prints at once, where print() keeps lines back from a pipe until there are many.
  private func write(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}

extension Double {
  /// The number with as many digits after the point.
  func digits(_ count: Int) -> String { String(format: "%.\(count)f", self) }
}
