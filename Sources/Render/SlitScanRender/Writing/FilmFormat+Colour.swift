// The colour tags of encoded frames: those of the film that is rendered, and none where it has none.

import GStreamer
import SlitScanCapture

extension FilmFormat {
  /// Has an encoder and a muxer say of colours what the film says, and nothing else.
  ///
  /// Raw video has a colorimetry in any case: without one in its caps, GStreamer takes what is usual for the size, and
  /// encoders write that.
  ///
  /// - Parameters:
  ///   - frames: The caps of the film's frames as they are decoded: without a colorimetry where the film says none.
  ///   - before: A `capssetter` before the encoder.
  ///   - after: A `capssetter` behind it.
  func tagColours(
    as frames: Caps, by encoder: Element, before: Element, after: Element
  ) throws(GStreamerError) {
    // Frames that are converted to luma and chroma have the colours that they are converted to.
    guard let info = try? VideoInfo(frames), info.isYUV,
      let kind = try encoder.pad("src").possibleCaps?.structures.first?.name
    else { return }
    let fields = frames.structures.first?.fields
    let colorimetry = fields?["colorimetry"]?.text
    let colours = colorimetry.flatMap { Colorimetry($0) }
    // Muxers write nothing of a colorimetry that is none.
    try after.set("caps", to: Caps("\(kind),colorimetry=(string)\(colorimetry ?? "none")"))
    switch encoder.factoryName {
    case "x264enc":
      try encoder.set("insert-vui", to: false)
      let options = Self.x264Options(colours, chromaSite: fields?["chroma-site"]?.text)
      let others = try encoder.get("option-string", as: String.self)
      try encoder.set(
        "option-string",
        to: ([others].filter { !$0.isEmpty } + options).joined(separator: ":"))
    case "x265enc":
      // The range cannot be left out.
      let others = try encoder.get("option-string", as: String.self)
      let options =
        "colormatrix=\(Self.matrix(colours)):transfer=\(colours?.transfer ?? 2):"
        + "colorprim=\(colours?.primaries ?? 2)"
      try encoder.set(
        "option-string", to: [others, options].filter { !$0.isEmpty }.joined(separator: ":"))
    case "avenc_prores_ks":
      let numbers = [colours?.primaries ?? 2, colours?.transfer ?? 2, Self.matrix(colours)]
      try encoder.pad("src").addProbe(.buffer) { item in
        guard case .buffer(let frame) = item,
          let tagged = try? frame.taggedProRes(numbers.map { UInt8(truncatingIfNeeded: $0) })
        else { return .pass }
        return .replace(tagged)
      }
    case "vp9enc":
      try before.set(
        "caps", to: Caps("video/x-raw,colorimetry=(string)\(Self.vp9Colorimetry(colours))"))
    default: break
    }
  }

  /// The losses of field order and HDR data, in sentences.
  func showingLosses(of film: FilmDescription) -> [String] {
    var losses: [String] = []
    if let order = film.fieldOrder, video?.encoder.factory != "x264enc" {
      losses.append(
        "\(film.path): The order of its fields (\(order)) is not written. Use H.264, or deinterlace it first, for "
          + "example with ffmpeg -i \(film.path) -vf bwdif progressive.mkv.")
    }
    let hasMastering = film.caps.structures.first?.fields["mastering-display-info"] != nil
    if hasMastering, container == .mp4, video?.encoder.factory != "x265enc" {
      losses.append(
        "\(film.path): The mastering display and light levels of HDR are not written. Use .mkv or .webm."
      )
    }
    return losses
  }

  /// The names of x264 for the numbers of ITU-T H.273.
  private static let x264Names:
    (matrix: [UInt32: String], transfer: [UInt32: String], primaries: [UInt32: String]) = (
      [
        0: "GBR", 1: "bt709", 4: "fcc", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "YCgCo",
        9: "bt2020nc", 10: "bt2020c",
      ],
      [
        1: "bt709", 4: "bt470m", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "linear",
        9: "log100", 10: "log316", 11: "iec61966-2-4", 12: "bt1361e", 13: "iec61966-2-1",
        14: "bt2020-10", 15: "bt2020-12", 16: "smpte2084", 17: "smpte428", 18: "arib-std-b67",
      ],
      [
        1: "bt709", 4: "bt470m", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "film",
        9: "bt2020", 10: "smpte428", 11: "smpte431", 12: "smpte432",
      ]
    )

  /// The number of the matrix; PAL has the first of the two that mean that of BT.601.
  private static func matrix(_ colours: Colorimetry?) -> UInt32 {
    guard let colours else { return 2 }
    return colours.matrix == 6 && colours.primaries == 5 ? 5 : colours.matrix
  }

  private static func x264Options(_ colours: Colorimetry?, chromaSite: String?) -> [String] {
    var options: [String] = []
    func add(_ name: String, _ value: String?) {
      if let value { options.append("\(name)=\(value)") }
    }
    add("colormatrix", x264Names.matrix[matrix(colours)])
    add("transfer", colours.flatMap { x264Names.transfer[$0.transfer] })
    add("colorprim", colours.flatMap { x264Names.primaries[$0.primaries] })
    add("fullrange", colours?.isFullRange == true ? "on" : nil)
    add("chromaloc", ["jpeg": "1", "dv": "2", "v-cosited": "3"][chromaSite ?? ""])
    return options
  }

  /// A colorimetry that vp9enc knows by its matrix, as it compares the whole of it; one that it does not know where
  /// nothing is said.
  private static func vp9Colorimetry(_ colours: Colorimetry?) -> String {
    let range = colours?.isFullRange == true ? 1 : 2
    return switch colours?.matrix {
    case 1: "\(range):3:5:1"
    case 5, 6: "\(range):4:16:4"
    case 7: "\(range):5:6:5"
    case 9, 10: "\(range):6:11:7"
    default: "\(range):4:0:0"
    }
  }
}

extension Buffer {
  /// A frame of ProRes with the numbers of its colour primaries, transfer characteristics and matrix, which the encoder
  /// leaves open; nil where it is none.
  fileprivate func taggedProRes(_ numbers: [UInt8]) throws -> Buffer? {
    // The size of the frame, its type, and the header up to these numbers: SMPTE RDD 36.
    let (type, place) = (4..<8, 22)
    let isProRes = unsafe try map().bytes.withUnsafeBytes { bytes in
      unsafe bytes.count > place + 3 && bytes[type].elementsEqual("icpf".utf8)
    }
    guard isProRes else { return nil }
    var frame = try WritableBuffer(copying: self)
    try frame.write(numbers, at: place)
    return frame.finish()
  }
}
