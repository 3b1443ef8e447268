// The names of image sequences: a folder, a printf pattern, a glob, or a list of files.

import LibC
import SlitScanCapture

/// The files that an argument of a person stands for.
struct ImageNames: Sendable {
  /// In the order of a film.
  let files: [String]
  /// Notes for a person.
  private(set) var notes: [String] = []

  /// The images in a folder, those of a pattern such as `shot.%04d.png`, or the files of a glob such as
  /// `shot.*.png`; nil for the name of a file, or an address.
  ///
  /// - Throws: ``CaptureError/Code/noSuchFile``: there are none, or one is missing.
  init?(_ argument: String) throws(CaptureError) {
    var status = stat()
    let isThere = unsafe stat(argument, &status) == 0
    if isThere, status.st_mode & S_IFMT == S_IFDIR {
      files = try Self.images(inFolder: argument)
      notes = Self.gaps(in: files, of: argument)
    } else if isThere || argument.contains("://") {
      return nil
    } else if let pattern = NumberPattern(argument) {
      files = try pattern.files()
    } else if argument.contains(where: { "*?[".contains($0) }) {
      files = Self.matches(of: argument).sorted(by: comesBefore)
      guard !files.isEmpty else {
        throw CaptureError(
          .noSuchFile,
          "\(argument): No file matches this pattern. Check the folder and the extension.")
      }
      notes = Self.gaps(in: files, of: argument)
    } else {
      return nil
    }
  }

  private static func images(inFolder folder: String) throws(CaptureError) -> [String] {
    let names = matches(of: escaped(folder) + (folder.hasSuffix("/") ? "*" : "/*"))
    let images = names.filter(ImageKind.isNamed).sorted(by: comesBefore)
    guard !images.isEmpty else {
      throw CaptureError(
        .noSuchFile,
        names.isEmpty
          ? "\(folder): This folder is empty."
          : "\(folder): There are no images in this folder. Name films one by one.")
    }
    return images
  }

  /// A path whose special characters stand for themselves in a glob.
  private static func escaped(_ path: String) -> String {
    String(path.flatMap { "*?[\\".contains($0) ? ["\\", $0] : [$0] })
  }

  private static func matches(of pattern: String) -> [String] {
    var found = unsafe glob_t()
    defer { unsafe globfree(&found) }
    guard unsafe glob(pattern, GLOB_NOSORT, nil, &found) == 0 else { return [] }
    return unsafe (0..<Int(found.gl_pathc)).compactMap { index in
      unsafe found.gl_pathv[index].map { unsafe String(cString: $0) }
    }
  }

  /// A sentence that says which numbers are missing between those of files, where they are numbered alike.
  private static func gaps(in files: [String], of argument: String) -> [String] {
    let names = files.map(NumberedName.init)
    var missing = 0
    var first: String?
    for case (let name?, let next?) in zip(names, names.dropFirst())
    where name.prefix == next.prefix && name.suffix == next.suffix && next.number > name.number + 1
    {
      missing += next.number - name.number - 1
      first = first ?? "\(name.digits) and \(next.digits)"
    }
    guard let first else { return [] }
    return [
      "\(argument): \(missing) number\(missing == 1 ? " is" : "s are") missing, the first between \(first). "
        + "The images follow each other without a gap."
    ]
  }
}

extension NumberPattern {
  /// The files that there are, from the lowest number on.
  ///
  /// - Throws: ``CaptureError/Code/noSuchFile``: there are none, or one is missing between others.
  fileprivate func files() throws(CaptureError) -> [String] {
    let numbers = numbers()
    guard let first = numbers.first, let last = numbers.last else {
      throw CaptureError(
        .noSuchFile,
        "\(path): There is no file of this pattern, such as \(path(1)). Check the number of digits."
      )
    }
    if let gap = zip(first..., numbers).first(where: { $0 != $1 })?.0 {
      let missing = last - first + 1 - numbers.count
      throw CaptureError(
        .noSuchFile,
        "\(path(gap)) is missing, of \(path(first)) to \(path(last)): \(missing) "
          + "image\(missing == 1 ? "" : "s") in all. Add what is missing, or name the folder or a quoted pattern such as "
          + "'*.png' to leave the gap out.")
    }
    return numbers.map(path)
  }
}
