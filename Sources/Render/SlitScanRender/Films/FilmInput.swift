// A film input is what a film is read from: a file, an address, or an image sequence.

import GStreamer
import LibC
import SlitScanCapture

/// A film to be read.
struct FilmInput: Sendable {
  /// The file, the address, or the name of the images.
  let path: String
  /// The images that are its frames; nil for a film.
  private(set) var images: ImageSequence?

  /// A film in a file or at an address.
  init(_ path: String) { self.path = FileSource.localPath(path) }

  private init(_ images: ImageSequence) {
    path = images.path
    self.images = images
  }

  /// The files that it is read from.
  var files: [String] { images?.files ?? [path] }
}

extension FilmInput {
  /// The films that a person has named: files, addresses and image sequences, each in one or several arguments.
  ///
  /// - Parameter rate: Frames a second of image sequences; nil for the usual rate.
  /// - Throws: ``CaptureError``.
  static func all(_ arguments: [String], frameRate rate: Fraction?) throws(CaptureError)
    -> [FilmInput]
  {
    try requireFiles(arguments)
    var inputs: [FilmInput] = []
    var list: [String] = []
    func endList() throws(CaptureError) {
      guard let first = list.first else { return }
      let isOrdered = zip(list, list.dropFirst()).allSatisfy { !comesBefore($1, $0) }
      let note =
        "\(first) and those after it are not in the order of their numbers. To have them so, quote the pattern: "
        + "'*.png'."
      inputs.append(
        FilmInput(
          try ImageSequence(list, named: first, rate: rate, notes: isOrdered ? [] : [note])))
      list = []
    }
    for argument in arguments.map(FileSource.localPath) {
      if let names = try ImageNames(argument), names.files.allSatisfy(ImageKind.isNamed) {
        try endList()
        inputs.append(
          FilmInput(
            try ImageSequence(names.files, named: argument, rate: rate, notes: names.notes)))
        continue
      }
      for path in try ImageNames(argument)?.files ?? [argument] {
        if isStill(path) {
          list.append(path)
        } else {
          try endList()
          inputs.append(FilmInput(path))
        }
      }
    }
    try endList()
    guard rate == nil || inputs.contains(where: { $0.images != nil }) else {
      throw CaptureError(
        .badRequest,
        "A frame rate is set, and there are no images in \(ImageKind.names): films have their own rate. Leave "
          + "--frame-rate out.")
    }
    return inputs
  }

  /// Makes sure that all can be read more than once, before anything opens them: to open a pipe waits for its writer.
  static func requireFiles(_ paths: [String]) throws(CaptureError) {
    for path in paths {
      var status = stat()
      guard unsafe stat(FileSource.localPath(path), &status) == 0,
        [S_IFIFO, S_IFSOCK, S_IFCHR].contains(status.st_mode & S_IFMT)
      else { continue }
      throw CaptureError(
        .sourceFailed,
        "\(path) is a pipe or a device, and a film is read more than once. Write it to a file first."
      )
    }
  }

  /// Whether a file is an image that does not move by itself.
  private static func isStill(_ path: String) -> Bool {
    guard ImageKind.isNamed(path), ImageKind(ofFile: path) != nil else { return false }
    if case .animated? = FileStructure.damage(of: path) { return false }
    return true
  }
}
