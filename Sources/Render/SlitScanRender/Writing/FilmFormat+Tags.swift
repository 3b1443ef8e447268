// The tags and chapters that each container can hold.

import GStreamer
import SlitScanCapture

extension FilmFormat {
  /// Tags that say how a film was encoded, not what it is.
  private static let technical: Set<String> = [
    "application-name", "audio-codec", "bitrate", "codec", "container-format", "encoder",
    "encoder-version",
    "has-crc", "image-orientation", "maximum-bitrate", "minimum-bitrate", "nominal-bitrate",
    "private-qt-tag", "subtitle-codec", "video-codec",
  ]
  /// The tags of Matroska that say so, and that GStreamer has no name for.
  private static let technicalNames: Set<String> = [
    "BPS", "COMPATIBLE_BRANDS", "CREATION_TIME", "DURATION", "ENCODED_BY", "ENCODER_OPTIONS",
    "HANDLER_NAME", "MAJOR_BRAND", "MINOR_VERSION", "NUMBER_OF_BYTES", "NUMBER_OF_FRAMES",
    "VENDOR_ID", "WAVEFORMATEXTENSIBLE_CHANNEL_MASK",
  ]

  /// The tags that GStreamer's muxer writes.
  private var held: Set<String> {
    switch container {
    case .matroska, .webm:
      [
        "title", "artist", "album", "comment", "date", "datetime", "isrc", "copyright",
        "beats-per-minute", "license", "composer", "performer", "genre",
      ]
    default:
      [
        "album", "album-sortname", "artist", "artist-sortname", "album-artist",
        "album-artist-sortname", "application-name", "comment", "composer", "composer-sortname",
        "show-name", "show-sortname", "show-season-number", "show-episode-number", "genre",
        "title", "title-sortname", "performer", "grouping", "description", "lyrics", "copyright",
        "keywords", "date", "beats-per-minute", "track-number", "track-count",
        "album-disc-number", "album-disc-count", "preview-image", "image",
      ]
    }
  }

  func written(ofTrack tags: TagList) -> TagList {
    // Players take the title of a track in MP4 for that of the film.
    let names = ["language-code"] + (isMatroska ? ["title"] : [])
    return tags.filter(names.contains)
  }

  /// Whether it is Matroska or WebM.
  var isMatroska: Bool { [.matroska, .webm].contains(container) }

  /// The tags of a film that are written.
  func written(_ tags: TagList) -> TagList {
    var written = tags.filter(held.contains)
    if written["date"] == nil, let date = tags["datetime"]?.text.prefix(10), date.count == 10 {
      try? written.set("date", to: String(date))
    }
    return written
  }

  func describe(_ contents: FilmContents, in pipeline: Pipeline) throws(GStreamerError) {
    if let frames = contents.frames, video != nil {
      try tagColours(
        as: frames, by: pipeline.element(named: "video-encoder"),
        before: pipeline.element(named: "colours-before"),
        after: pipeline.element(named: "colours-after"))
    }
    let muxer = try pipeline.element(named: "mux")
    try muxer.setTags(written(contents.tags))
    if muxer.setsChapters, !contents.chapters.isEmpty { try muxer.setChapters(contents.chapters) }
    if let time = contents.tags["datetime"]?.text, time.contains("T"),
      muxer.hasProperty("creation-time")
    {
      try muxer.set("creation-time", to: time)
    }
    guard isMatroska else { return }
    let video = MatroskaOutput.Track(
      hasTitle: contents.videoTags["title"] != nil, isDefault: true,
      luminance: contents.masteringLuminance)
    let sounds = contents.sounds.map {
      MatroskaOutput.Track(hasTitle: $0.tags["title"] != nil, isDefault: $0.isDefault)
    }
    let texts = contents.texts.map {
      MatroskaOutput.Track(hasTitle: $0.tags["title"] != nil, isDefault: $0.isDefault)
    }
    MatroskaOutput([video] + sounds + texts).correct(try muxer.pad("src"))
  }

  /// The format in which subtitles are written.
  func written(_ format: SubtitleFormat) -> SubtitleFormat {
    switch (format, container) {
    case (.styled, .matroska): format
    case (.markup, .matroska), (.markup, .webm): format
    default: .plain
    }
  }

  /// The losses of subtitles and other streams, in sentences.
  private func otherLosses(of path: String, _ streams: FilmStreams) -> [String] {
    let losses = streams.others.compactMap { stream -> String? in
      guard let format = SubtitleFormat(stream.caps) else {
        return "\(path): The stream of \(stream.format.name) is not written."
      }
      guard case .styled = format, written(format) != format else { return nil }
      return
        "\(path): Subtitles of SubStation Alpha are written as plain text. Use .mkv to keep how they look."
    }
    return losses.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  func losses(of film: FilmDescription, to contents: FilmContents) -> [String] {
    mixdowns(of: film.sounds, to: contents) + losses(of: film.path, film.streams)
      + showingLosses(of: film)
  }

  /// The losses of tags and chapters, in sentences.
  func losses(of path: String, _ streams: FilmStreams?) -> [String] {
    guard let streams else { return [] }
    let name = isMatroska ? "Matroska" : "MP4"
    var losses = otherLosses(of: path, streams)
    if !streams.unread.isEmpty {
      let lost = streams.unread.joined(separator: " and ")
      losses.append("\(path): GStreamer does not read \(lost), which the output does not have.")
    }
    let lost = lostTags(streams.tags)
    if !lost.isEmpty {
      losses.append(
        "\(path): \(name) files written by GStreamer do not hold \(lost.joined(separator: ", ")).")
    }
    if !isMatroska, !streams.chapters.isEmpty {
      losses.append("\(path): \(name) files written by GStreamer do not hold chapters. Use .mkv.")
    }
    if !isMatroska, streams.sounds.contains(where: { $0.tags["title"] != nil }) {
      losses.append(
        "\(path): \(name) files written by GStreamer do not hold the titles of sound tracks.")
    }
    return losses
  }

  /// The names of tags that are lost.
  private func lostTags(_ tags: TagList) -> [String] {
    tags.names.sorted().flatMap { tag -> [String] in
      let text = tags[tag]?.text ?? ""
      switch tag {
      case _ where Self.technical.contains(tag) || held.contains(tag): return []
      case "attachment": return ["attachments"]
      // The date is held.
      case "datetime": return []
      case "extended-comment":
        return text.split(separator: ", ").compactMap { entry in
          let name = entry.prefix { $0 != "=" }
          guard name.count < entry.count, !Self.technicalNames.contains(name.uppercased()),
            !name.hasPrefix("_")
          else { return nil }
          return "the tag \(name)"
        }
      default: return ["the tag \(tag)"]
      }
    }
  }
}
