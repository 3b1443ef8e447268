// Names in paths, the status of files, and the order of file names.

import FoundationEssentials
import LibC

extension String {
  /// The last name of the path.
  package var fileName: String { URL(filePath: self).lastPathComponent }

  /// The ending of the last name, without its dot; empty for none.
  var fileEnding: String { URL(filePath: self).pathExtension }

  /// The last name without its ending.
  var fileStem: String { URL(filePath: self).deletingPathExtension().lastPathComponent }

  /// Whether it is a path of a folder, or of a link to one.
  package var isFolder: Bool {
    fileStatus.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// The status of the file of the path, or of the one that a link leads to; nil where there is none.
  var fileStatus: stat? {
    var status = stat()
    return unsafe stat(self, &status) == 0 ? status : nil
  }

  /// Whether it comes before another in a list: by the alphabet, in which capital letters are as small ones, and
  /// numbers by what they count.
  func precedes(_ other: String) -> Bool { (place, self) < (other.place, other) }

  /// The text by which it is sorted: numbers have no zeros at the left, and before them is how many digits they have.
  private var place: String {
    lowercased().replacing(/[0-9]+/) { match in
      let digits = match.output.drop { $0 == "0" }
      return "\(UnicodeScalar(UInt8(ascii: "0") + UInt8(clamping: min(digits.count, 70))))\(digits)"
    }
  }
}

extension stat {
  /// Whether it is that of a file: of no folder, pipe or device.
  var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
}
