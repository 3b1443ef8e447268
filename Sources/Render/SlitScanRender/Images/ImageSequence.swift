// An image sequence: image files that are the frames of a film, at a steady rate.

import CPNGFiles
import GStreamer
import SlitScanCapture

/// Images that follow each other as the frames of a film.
struct ImageSequence: Sendable {
  /// Frames a second where nothing is said.
  static let usualRate: Fraction = 25

  /// The name that a person has given them.
  let path: String
  /// Their files, in order.
  let files: [String]
  let kind: ImageKind
  let rate: Fraction
  /// The pixels of PNG images; nil for others, whose decoders say what they have.
  let layout: PngReaderLayout?
  /// Sentences for a person on how the files were understood.
  let notes: [String]

  /// Looks into files.
  ///
  /// - Parameters:
  ///   - files: At least one.
  ///   - rate: Frames a second; nil for the usual rate.
  ///   - notes: What is to be said of the choice of the files.
  /// - Throws: ``CaptureError``: a file is no image, or differs from the others.
  init(
    _ files: [String], named path: String, rate: Fraction?, notes: [String] = []
  ) throws(CaptureError) {
    let first = files.first ?? path
    let kind = try Self.kind(of: first)
    var layout: PngReaderLayout?
    for file in files {
      guard try Self.kind(of: file) == kind else {
        throw CaptureError(
          .formatsDiffer,
          "\(file) is \(try Self.kind(of: file).rawValue), and \(first) is \(kind.rawValue). An image sequence has "
            + "files of one kind: name those of one, for example by a quoted pattern such as '*.png'."
        )
      }
      guard kind == .png else { continue }
      let own = try PNGImage.open(file).layout
      if let layout, (layout.width, layout.height) != (own.width, own.height) {
        throw .imagesDiffer(
          file, "\(own.width)x\(own.height) pixels", first, "\(layout.width)x\(layout.height)")
      }
      layout = layout?.union(own) ?? own
    }
    self.path = path
    self.files = files
    self.kind = kind
    self.rate = rate ?? Self.usualRate
    self.layout = layout
    let usual = Self.usualRate.numerator
    let assumed =
      "\(path): \(files.count) image\(files.count == 1 ? "" : "s") at \(usual) frames a second. --frame-rate sets another rate."
    self.notes = notes + (rate == nil ? [assumed] : [])
  }

  private static func kind(of file: String) throws(CaptureError) -> ImageKind {
    if let kind = ImageKind(ofFile: file) { return kind }
    let reason = FileSource(file).explain(GStreamerError(.wrongType, ""))
    throw CaptureError(.sourceFailed, "\(file): \(reason.message)")
  }

  /// When a frame is shown, by its number from 0 on.
  func time(of frame: Int) -> ClockTime {
    let second = UInt64(clamping: rate.denominator) * 1_000_000_000
    return ClockTime(
      nanoseconds: UInt64(clamping: rate.numerator)
        .dividingFullWidth(UInt64(clamping: frame).multipliedFullWidth(by: second)).quotient)
  }

  /// The duration of the film.
  var duration: ClockTime { time(of: files.count) }

  /// The number of the first image; 1 where its name has none.
  var firstNumber: Int { files.first.flatMap(NumberedName.init)?.number ?? 1 }
}

extension CaptureError {
  static func imagesDiffer(
    _ file: String, _ own: String, _ first: String, _ others: String
  ) -> CaptureError {
    CaptureError(
      .formatsDiffer,
      "\(file) has \(own), and \(first) has \(others). All images of a sequence must be alike: convert them first, "
        + "or leave the others out.")
  }
}
