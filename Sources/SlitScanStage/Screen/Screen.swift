// The live screen lays out the state of a show as lines of text. A value: no terminal.

import GStreamer
import SlitScanCapture

/// The display of a show, as lines of text.
public struct Screen: Sendable {
  /// The state of the performance.
  public var performance: PerformanceState
  /// The status of the capture.
  public var capture = CaptureStatus()
  /// Frames a second.
  public var frameRate = 0.0
  /// Frames that nobody could take in time.
  public var dropped: UInt64 = 0
  /// The source of the video.
  public var source = ""
  /// Lines that stay visible, such as the address for phones.
  public var notes: [String] = []
  /// The last things that were told, the newest last.
  public var messages: [String] = []
  /// Which parameter is under the plus and minus keys.
  public var selection = 0
  /// The length of preset changes, in beats.
  public var glide = 0.0
  /// Whether the keys are shown instead of the parameters.
  public var showsKeys = false
  private let parameters: Parameters
  private let presets: [String]

  /// The display of a performance.
  public init(_ performance: PerformanceState, parameters: Parameters, presets: [String]) {
    self.performance = performance
    self.parameters = parameters
    self.presets = presets
  }

  /// The parameter under the plus and minus keys.
  public var selected: Parameter? {
    parameters.all.indices.contains(selection) ? parameters.all[selection] : nil
  }

  /// Goes some parameters on, round at the ends.
  public mutating func select(_ count: Int) {
    let total = parameters.all.count
    guard total > 0 else { return }
    selection = ((selection + count) % total + total) % total
  }

  /// Remembers what was told.
  public mutating func say(_ message: String) {
    messages.append(message)
    if messages.count > 100 { messages.removeFirst() }
  }

  /// The lines, at most as many and as wide as there is room.
  public func lines(columns: Int, rows: Int) -> [String] {
    guard columns > 0, rows > 0 else { return [] }
    let head = header
    let news = messages.suffix(max(1, min(4, rows - head.count - 3))).map { "  \($0)" }
    let room = max(0, rows - head.count - news.count - 2)
    let body = showsKeys ? keyLines(columns, room) : knobLines(columns, room)
    let all = head + [""] + body.prefix(room) + [""] + news
    return all.prefix(rows).map { $0.prefix(cells: columns) }
  }

  // MARK: Parts

  private var header: [String] {
    let performance = performance
    let tempo = Parameter.text(.double((performance.tempo.beatsPerMinute * 10).rounded() / 10))
    var flags: [String] = []
    if let path = performance.recording { flags.append("● recording \(path)") }
    if performance.isBlack { flags.append("BLACK") }
    if performance.values["freeze"] == .bool(true) { flags.append("FROZEN") }
    let state: String =
      switch capture.state {
      case .running: "\(number(frameRate, 1)) frames/s"
      case .stopped: "stopped"
      case .ended: "ended"
      case .failed: "no video"
      }
    let preset = performance.preset ?? "-"
    let quantize =
      performance.quantize > 0 ? "\(Parameter.text(.double(performance.quantize))) beats" : "off"
    return [
      "slitscan  \(source)  \(flags.joined(separator: "  "))",
      "\(state)  effect \(number(Double(capture.frameTime.nanoseconds) / 1e6, 2)) ms  "
        + "history \(capture.historyFrames) frames, \(capture.historyBytes / 1_048_576) MB  "
        + "dropped \(dropped)",
      "preset \(preset)  morph \(Parameter.text(.double(glide))) beats  tempo \(tempo)  "
        + "quantize \(quantize)  ? keys",
    ] + notes
  }

  private func number(_ number: Double, _ digits: Int) -> String {
    guard number.isFinite else { return "-" }
    let scale = digits == 1 ? 10.0 : 100.0
    return "\((number * scale).rounded() / scale)"
  }

  private func knobLines(_ columns: Int, _ rows: Int) -> [String] {
    guard rows > 0 else { return [] }
    let width = (parameters.all.map(\.name.count).max() ?? 0) + 1
    let cell = 46
    let across = max(1, columns / cell)
    let down = min(rows, (parameters.all.count + across - 1) / across)
    // What is selected is always seen.
    let first = down * across >= parameters.all.count ? 0 : max(0, selection - down * across + 1)
    return (0..<down).map { row in
      (0..<across).map { column in
        let index = first + column * down + row
        return index < parameters.all.count ? pad(knobCell(index, width), to: cell) : ""
      }.joined()
    }
  }

  private func knobCell(_ index: Int, _ width: Int) -> String {
    let parameter = parameters.all[index]
    let value = performance.values[parameter.name] ?? .none
    let mark = index == selection ? ">" : " "
    let drive = performance.drives[parameter.name] == nil ? " " : "~"
    let bar =
      parameter.reach == nil
      ? ""
      : parameter.place(of: value).map { place in
        let full = Int((place * 10).rounded())
        return String(repeating: "█", count: full) + String(repeating: "·", count: 10 - full)
      } ?? ""
    // More digits than anybody turns.
    let rounded: Value =
      if case .double(let number) = value { .double((number * 1e4).rounded() / 1e4) } else { value }
    return
      "\(mark)\(drive)\(pad(parameter.name, to: width))\(pad(bar, to: 11))\(parameter.text(of: rounded))"
  }

  private func keyLines(_ columns: Int, _ rows: Int) -> [String] {
    let entries = KeyMap.entries.filter { !$0.label.isEmpty }.map {
      "  \(pad($0.label, to: 9))\($0.summary)"
    }
    let presets = presets.prefix(9).enumerated().map { "  \($0.offset + 1)        \($0.element)" }
    let all = entries + ["", "  The presets:"] + presets
    let across = max(1, min(columns / 56, (all.count + max(1, rows) - 1) / max(1, rows)))
    let down = (all.count + across - 1) / across
    return (0..<down).map { row in
      (0..<across).map { column in
        let index = column * down + row
        return index < all.count ? pad(all[index], to: 56) : ""
      }.joined()
    }
  }

  private func pad(_ text: String, to width: Int) -> String { text.padded(toCells: width) }
}
