// A media file as ffprobe and ffmpeg read it.

import AwaitedProgram
import Foundation

/// A file with frames and perhaps sound, as ffmpeg decodes it.
package struct DecodedFile: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// A stream: its codec, its size, and how many frames can be decoded.
  package struct Stream: Sendable {
    package var codec = ""
    package var width = 0
    package var height = 0
    package var frames = 0
  }

  /// A packet's times in seconds.
  package struct Packet: Sendable {
    package var presentation: Double
    package var decoding: Double
    package var duration: Double
  }

  package func stream(_ kind: String) async throws -> Stream {
    let fields =
      try await probe(
        "-select_streams", kind, "-count_frames", "-show_entries",
        "stream=codec_name,width,height,nb_read_frames"
      ).first ?? []
    var stream = Stream(codec: fields.first ?? "")
    stream.frames = fields.last.flatMap { Int($0) } ?? 0
    if kind == "v", fields.count == 4 {
      stream.width = Int(fields[1]) ?? 0
      stream.height = Int(fields[2]) ?? 0
    }
    return stream
  }

  /// The sizes of the packets of a stream, in bytes.
  package func packetSizes(_ kind: String) async throws -> [Int] {
    try await probe("-select_streams", kind, "-show_entries", "packet=size").compactMap {
      $0.first.flatMap { Int($0) }
    }
  }

  /// All tags of the file.
  package func tags() async throws -> String {
    try await probe("-show_entries", "format_tags").flatMap(\.self).joined(separator: "\n")
  }

  package func packets(_ kind: String) async throws -> [Packet] {
    try await probe(
      "-select_streams", kind, "-show_entries", "packet=pts_time,dts_time,duration_time"
    ).map { fields in
      let times = fields.map { Double($0) ?? .nan }
      return Packet(
        presentation: times[0], decoding: times.count > 1 ? times[1] : .nan,
        duration: times.count > 2 ? times[2] : .nan)
    }
  }

  /// The duration of the file, in seconds.
  package func duration() async throws -> Double {
    let fields = try await probe("-show_entries", "format=duration").first ?? []
    return fields.first.flatMap { Double($0) } ?? .nan
  }

  /// Red, green and blue of the first frame, averaged.
  package func meanColour() async throws -> [UInt8] {
    try await decode(
      "-frames:v", "1", "-vf", "scale=1:1:flags=area", "-pix_fmt", "rgb24", "-f", "rawvideo")
  }

  /// All frames one after the other, upright, as bytes.
  ///
  /// - Parameter format: ffmpeg's name of their format.
  package func frames(as format: String) async throws -> [UInt8] {
    try await decode("-fps_mode", "passthrough", "-pix_fmt", format, "-f", "rawvideo")
  }

  /// When the frame becomes bright, in seconds.
  package func flashes() async throws -> [Double] { try await flashes(at: packets("v")) }

  private func flashes(at frames: [Packet]) async throws -> [Double] {
    let times = frames.map(\.presentation).sorted()
    let levels = try await decode(
      "-map", "0:v", "-fps_mode", "passthrough", "-vf", "scale=1:1",
      "-pix_fmt", "gray", "-f", "rawvideo")
    return onsets(zip(times, levels).map { ($0, $1 > 128) }, apart: 0)
  }

  /// When the sound becomes loud, in seconds.
  package func clicks() async throws -> [Double] {
    let bytes = try await decode(
      "-copyts", "-map", "0:a", "-af", "aresample=async=1:first_pts=0", "-ar", "48000", "-ac", "1",
      "-f",
      "s16le"
    )
    let samples = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)
    }
    return onsets(
      samples.enumerated().map { (Double($0) / 48_000, $1 > 6000 || $1 < -6000) }, apart: 0.1)
  }

  /// The faults in the order of frames and sound, or in flashes and clicks, which go together.
  ///
  /// - Parameter count: How many of each there are to be.
  package func faults(flashes count: Int) async throws -> [String] {
    var faults: [String] = []
    let frames = try await packets("v")
    for (kind, packets) in [("v", frames), ("a", try await packets("a"))] {
      for (packet, next) in zip(packets, packets.dropFirst())
      where packet.presentation >= next.presentation {
        faults.append("\(kind) at \(packet.presentation) and then \(next.presentation)")
      }
    }
    let (flashes, clicks) = (try await flashes(at: frames), try await clicks())
    if flashes.count != count { faults.append("\(flashes.count) flashes") }
    if clicks.count != count { faults.append("\(clicks.count) clicks") }
    for (flash, click) in zip(flashes, clicks) where abs(flash - click) >= 0.020 {
      faults.append("a flash at \(flash), a click at \(click)")
    }
    return faults
  }

  /// When something begins, after not having been for some seconds.
  private func onsets(_ moments: [(time: Double, isOn: Bool)], apart: Double) -> [Double] {
    var result: [Double] = []
    var last = -Double.infinity
    var wasOn = false
    for (time, isOn) in moments {
      if isOn, !wasOn, time - last > apart { result.append(time) }
      if isOn { last = time }
      wasOn = isOn
    }
    return result
  }

  private func probe(_ arguments: String...) async throws -> [[String]] {
    let bytes = try await run("ffprobe", ["-v", "error"] + arguments + ["-of", "csv=p=0", path])
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  private func decode(_ arguments: String...) async throws -> [UInt8] {
    try await run("ffmpeg", ["-v", "quiet", "-i", path] + arguments + ["-"])
  }

  private func run(_ program: String, _ arguments: [String]) async throws -> [UInt8] {
    // What a damaged end makes it say is no part of its answer.
    Array(try await AwaitedProgram([program] + arguments).end().output)
  }
}
