// The live screen lays out the state of a show as lines of text. A value: no terminal.

import GStreamer
import SlitScanCapture
import SlitScanStage

/// The display of a show, as lines of text.
///
/// From top to bottom: what the show does, the parameters or the keys, and what was told last. What needs
/// more lines than there are is scrolled, with a mark where there is more.
public struct Screen: Sendable {
  /// The state of the performance.
  public var performance: PerformanceState {
    didSet { if performance.lostFrames > oldValue.lostFrames { lastLoss = now } }
  }
  /// The status of the capture.
  public var capture = CaptureStatus()
  /// The outputs.
  public var outputs: [OutputStatus] = []
  /// The source of the video.
  public var source = ""
  /// Lines that stay visible, such as the address for phones.
  public var notes: [String] = []
  /// The moment that is shown, by which beats are counted, and messages come and go away.
  public var now = ContinuousClock.now
  /// Which parameter is under the plus and minus keys.
  public private(set) var selection = 0
  /// Whether what MIDI controls do is shown instead of the parameters.
  public var showsAssignments = false { didSet { if showsAssignments { showsKeys = false } } }
  /// Which control is selected there.
  var assignment = 0
  /// Whether the keys are shown instead of the parameters.
  public var showsKeys = false { didSet { firstKey = 0 } }
  /// The lines by which the list of keys is scrolled.
  private var firstKey = 0
  private var messages = Messages()
  /// When the recording lost a frame last.
  private var lastLoss: ContinuousClock.Instant?
  private let parameters: Parameters
  /// The names of the presets, in the order of their numbers.
  public var presets: [String]
  /// The number of the bank of presets under the number keys, from 0 on.
  private var bank = 0

  /// The time after a frame was lost in which a recording is shown to lose frames.
  private static let lossTime = Duration.seconds(5)
  /// The number of lines from which on some may be empty.
  private static let comfortable = 16
  /// The parameters that are always seen.
  private static let essentials = ["mode", "map", "depth", "gain", "mix"]

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

  /// Selects the parameter some places later, round at the ends; or scrolls the keys.
  public mutating func select(_ count: Int) {
    guard !showsKeys else {
      firstKey = min(max(0, firstKey + count), keyLines.count - 1)
      return
    }
    guard !showsAssignments else { return selectAssignment(count) }
    let total = parameters.all.count
    guard total > 0 else { return }
    selection = ((selection + count) % total + total) % total
  }

  private static let bankSize = 10

  /// The preset under a number key, from 1 on; nil where there are no more.
  public func preset(_ number: Int) -> String? {
    let index = bank * Self.bankSize + number - 1
    return presets.indices.contains(index) ? presets[index] : nil
  }

  /// Puts another bank of presets under the number keys, round at the ends, and says which.
  public mutating func changeBank(by count: Int) {
    let banks = max(1, (presets.count + Self.bankSize - 1) / Self.bankSize)
    bank = ((bank + count) % banks + banks) % banks
    let names = (1...Self.bankSize).compactMap { number in
      preset(number).map { "\(number % Self.bankSize) \($0)" }
    }
    say("Bank \(bank + 1) of \(banks): \(names.joined(separator: ", "))")
  }

  /// Remembers what was told.
  ///
  /// - Parameter isWarning: Whether it stays until ``acknowledge()``.
  public mutating func say(_ text: String, isWarning: Bool = false) {
    messages.add(text, isWarning: isWarning, at: now)
  }

  /// A user has pressed a key, and has seen what is on the screen.
  public mutating func acknowledge() { messages.acknowledge(at: now) }

  /// The lines, at most as many and as wide as there is room.
  ///
  /// Errors that are among them can be acknowledged from then on.
  public mutating func lines(columns: Int, rows: Int) -> [ScreenLine] {
    guard columns > 0, rows > 0 else { return [] }
    // On a small screen, nothing is left empty.
    let gap = rows < Self.comfortable ? [] : [ScreenLine()]
    let head = head(columns).prefix(max(1, rows - 5)) + gap
    // The list has eight lines. Messages get four of the rest, or half of all while there are errors, or what is free.
    let room = rows - head.count
    let share = max(1, min(messages.hasUnseen ? max(8, room / 2) : 4, room - gap.count - 8))
    let free = room - gap.count - bodyHeight(columns)
    let height = min(messages.height(columns: columns, at: now), max(share, free))
    let news = messages.lines(columns: columns, rows: height, at: now)
    let foot = news.isEmpty ? [] : gap + news
    let left = room - foot.count
    let body =
      showsKeys
      ? keys(columns, left)
      : showsAssignments ? assignments(columns, left) : parameters(columns, left)
    return (head + body + foot).prefix(rows).map { $0.prefix(cells: columns) }
  }

  /// The lines that the whole list takes.
  private func bodyHeight(_ columns: Int) -> Int {
    if !showsKeys, showsAssignments { return (performance.assignments?.count ?? 0) + 1 }
    let (count, cell) =
      showsKeys
      ? (keyLines.count, Self.keyCell)
      : (parameters.all.count + Set(parameters.all.map(\.group)).count, Self.cell)
    let across = max(1, columns / cell)
    return (count + across - 1) / across + (showsKeys ? 0 : detail(columns).count)
  }

  // MARK: The head

  private func head(_ columns: Int) -> [ScreenLine] {
    [first, essentials, time, machine, shown].flatMap { Self.flow($0, columns) }
      + notes.map { ScreenLine($0) } + Self.flow(next, columns).prefix(1)
  }

  /// Pieces in as few lines as there is room for, two spaces apart.
  private static func flow(_ pieces: [ScreenLine], _ columns: Int) -> [ScreenLine] {
    var lines: [ScreenLine] = []
    for piece in pieces {
      if var last = lines.last, last.cells + 2 + piece.cells <= columns {
        last.add("  ")
        last.add(piece)
        lines[lines.count - 1] = last
      } else {
        lines.append(piece)
      }
    }
    return lines
  }

  /// The source, and what the audience sees instead of it.
  private var first: [ScreenLine] {
    var pieces = [ScreenLine("slitscan \(source)", .strong)]
    if let path = performance.recording { pieces.append(recording(path)) }
    if performance.isBlack { pieces.append(ScreenLine(" BLACK ", .warning)) }
    if performance.values["freeze"] == .bool(true) {
      pieces.append(ScreenLine(" FROZEN ", .warning))
    }
    return pieces
  }

  /// The recording, and how many frames it has lost; in another colour while it loses some.
  private func recording(_ path: String) -> ScreenLine {
    let lost = performance.lostFrames
    guard lost > 0 else { return ScreenLine(" ● REC \(path) ", .recording) }
    let isLosing = lastLoss.map { now - $0 < Self.lossTime } ?? false
    return ScreenLine(
      " ● REC \(lost) \(lost == 1 ? "frame" : "frames") lost \(path) ",
      isLosing ? .warning : .recording)
  }

  /// The preset, the values that matter most, and those that move.
  private var essentials: [ScreenLine] {
    let preset = performance.preset.map { ScreenLine($0, .strong) } ?? ScreenLine("no preset")
    let moving = performance.drives.keys.sorted().filter { !Self.essentials.contains($0) }
    return [preset] + crossfader
      + (Self.essentials + moving).compactMap { name in
        guard let parameter = parameters[name] else { return nil }
        let isMoving = performance.drives[name] != nil
        return ScreenLine(
          "\(isMoving ? "~" : "")\(name) \(text(of: parameter))", isMoving ? .moving : .plain)
      }
  }

  /// The decks, and the place between them where there are two.
  private var crossfader: [ScreenLine] {
    let decks = Deck.allCases.compactMap { deck in
      performance.decks[deck].map { "\(deck.rawValue.uppercased()) \($0)" }
    }
    guard decks.count == 2 else { return decks.map { ScreenLine($0) } }
    let place = Self.rounded(performance.crossfade, 2)
    return [ScreenLine(decks.joined(separator: " — \(place) — "))]
  }

  /// The tempo, and what waits for it.
  private var time: [ScreenLine] {
    let tempo = performance.tempo
    let beat = tempo.beat(at: now)
    let place = Int(max(0, beat.rounded(.down)).truncatingRemainder(dividingBy: 4))
    var line = ScreenLine("tempo \(Self.rounded(tempo.beatsPerMinute, 1)) ")
    if performance.followsSound { line.add("by sound ", .moving) }
    for index in 0..<4 {
      line.add(index == place ? "●" : "·", index == place ? .strong : .faint)
    }
    let waiting = performance.waiting.sorted { $0.key < $1.key }.map { kind, change in
      let beats = max(0, tempo.beat(at: change.moment) - beat).rounded(.up)
      return ScreenLine(
        "\(kind) \(change.value) in \(Self.beats(beats))", .moving)
    }
    return [
      line, ScreenLine("glide \(performance.glide > 0 ? Self.beats(performance.glide) : "off")"),
      ScreenLine("quantize \(performance.quantize > 0 ? Self.beats(performance.quantize) : "off")"),
    ] + waiting
  }

  private static func beats(_ beats: Double) -> String {
    "\(Parameter.text(.double(beats))) \(beats == 1 ? "beat" : "beats")"
  }

  private var machine: [ScreenLine] {
    let state: [ScreenLine] =
      switch capture.state {
      case .running: []
      case .stopped: [ScreenLine(" stopped ", .warning)]
      case .ended: [ScreenLine(" ended ", .warning)]
      case .failed: [ScreenLine(" no video ", .warning)]
      }
    return state + [
      ScreenLine("effect \(Self.rounded(Double(capture.frameTime.nanoseconds) / 1e6, 2)) ms"),
      ScreenLine("history \(history), \(memory)"),
    ] + (capture.late > 0 ? [ScreenLine("late \(capture.late)", .strong)] : [])
  }

  /// The frames that each output shows, as its sink counts them.
  private var shown: [ScreenLine] {
    outputs.map { output in
      // Elements may be a long line.
      let word = output.word.count > 24 ? "\(output.word.prefix(23))…" : output.word
      let name = "\(output.number) \(word)"
      guard let shown = output.shown else {
        return ScreenLine(" \(name) closed, e opens it ", .warning)
      }
      let gap = (shown.longestGap / .milliseconds(1)).rounded()
      return ScreenLine(
        "\(name) \(Self.rounded(shown.frameRate, 1)) frames/s, dropped \(shown.dropped), "
          + "longest gap \(Parameter.text(.double(gap))) ms",
        shown.dropped > 0 ? .strong : .plain)
    }
  }

  private var history: String {
    time(ofFrames: Double(capture.historyFrames)) ?? "\(capture.historyFrames) frames"
  }

  /// The memory that history takes, and its part of the disk.
  private var memory: String {
    func text(_ count: Int) -> String { GStreamer.text(ofBytes: count) }
    guard capture.diskBytes > 0 else { return text(capture.historyBytes) }
    return "\(text(capture.historyBytes)) memory, \(text(capture.diskBytes)) disk"
  }

  /// The time that some frames take, in seconds or minutes; nil where that is not known.
  private func time(ofFrames count: Double) -> String? {
    guard capture.frameInterval > .zero else { return nil }
    let seconds = count * capture.frameInterval.seconds
    return seconds < 120
      ? "\(Self.rounded(seconds, 1)) s" : "\(Self.rounded(seconds / 60, 1)) min"
  }

  // MARK: What to press next

  /// The keys that a performer is most likely to need now, the most urgent first; as many as one line holds.
  private var next: [ScreenLine] {
    var keys: [(key: String, effect: String)] = [("?", showsKeys ? "properties" : "all keys")]
    if performance.isBlack { keys.append(("b", "show the video")) }
    if performance.values["freeze"] == .bool(true) { keys.append(("f", "let time go on")) }
    if performance.recording != nil { keys.append(("r", "stop recording")) }
    switch (performance.decks[.a], performance.decks[.b]) {
    case (nil, nil): break
    case (_?, _?): keys.append(("x X", "crossfade"))
    case (let a, _): keys.append((a == nil ? "A" : "B", "fill the other deck"))
    }
    keys += showsKeys ? [("tab ↑ ↓", "scroll")] : [("1-9 0", "presets"), ("n", "next map")]
    if Parameter.text(performance.values["map"] ?? .none) == "linear" {
      keys.append(("← →", "turn the map"))
    }
    keys += [("space", "tap the tempo"), ("s", "still")]
    if performance.recording == nil { keys.append(("r", "record")) }
    return keys.enumerated().map { number, next in
      var line = ScreenLine(number == 0 ? "Press  " : "", .faint)
      line.add(next.key, .strong)
      line.add(" \(next.effect)", .faint)
      return line
    }
  }

  private static func rounded(_ number: Double, _ digits: Int) -> String {
    guard number.isFinite else { return "-" }
    let scale = digits == 1 ? 10.0 : 100.0
    return Parameter.text(.double((number * scale).rounded() / scale))
  }

  // MARK: Parameters

  /// The width of one column of parameters, in cells.
  private static let cell = 46

  private func parameters(_ columns: Int, _ rows: Int) -> [ScreenLine] {
    guard rows > 1 else { return [] }
    let width = (parameters.all.map(\.name.count).max() ?? 0) + 1
    var list: [ScreenLine] = []
    var place = 0
    var group: String?
    for (index, parameter) in parameters.all.enumerated() {
      if parameter.group != group {
        group = parameter.group
        list.append(ScreenLine("  \(parameter.group)", .faint))
      }
      if index == selection { place = list.count }
      list.append(line(of: parameter, width, isSelected: index == selection))
    }
    let across = max(1, columns / Self.cell)
    let detail = rows < 5 ? [] : Array(detail(columns).prefix(max(1, rows / 3)))
    let room = rows - detail.count
    // A page at a time, so that the lines stay where they are while the selection moves.
    let size = max(1, across * (room - 2))
    return Self.page(list, from: place / size * size, across, room, Self.cell) + detail
  }

  /// A list in columns; of a longer one, the part from a line on, and how many lines there are before and after.
  static func page(
    _ list: [ScreenLine], from first: Int, _ across: Int, _ rows: Int, _ cell: Int
  ) -> [ScreenLine] {
    if list.count <= across * rows {
      return columns(list, across, (list.count + across - 1) / across, cell)
    }
    guard rows > 2 else { return Array(list[min(first, list.count)...].prefix(max(0, rows))) }
    let size = across * (rows - 2)
    let first = min(first, max(0, list.count - size))
    let after = max(0, list.count - first - size)
    let above = first > 0 ? ScreenLine("  ↑ \(first) more", .faint) : ScreenLine()
    let below = after > 0 ? ScreenLine("  ↓ \(after) more", .faint) : ScreenLine()
    return [above] + columns(Array(list[first...].prefix(size)), across, rows - 2, cell) + [below]
  }

  /// A list in columns, read down and then across.
  private static func columns(
    _ list: [ScreenLine], _ across: Int, _ down: Int, _ cell: Int
  ) -> [ScreenLine] {
    (0..<down).map { row in
      var line = ScreenLine()
      for column in 0..<across where list.indices.contains(column * down + row) {
        let next = list[column * down + row]
        line.add(across == 1 ? next : next.padded(toCells: cell))
      }
      return line
    }
  }

  private func line(of parameter: Parameter, _ width: Int, isSelected: Bool) -> ScreenLine {
    let value = performance.values[parameter.name] ?? .none
    let isMoving = performance.drives[parameter.name] != nil
    let bar =
      parameter.reach == nil
      ? ""
      : parameter.place(of: value).map { place in
        let full = Int((place * 10).rounded())
        return String(repeating: "█", count: full) + String(repeating: "·", count: 10 - full)
      } ?? ""
    let style: ScreenLine.Style = isSelected ? .selected : isMoving ? .moving : .plain
    return ScreenLine(
      "\(isSelected ? ">" : " ")\(isMoving ? "~" : " ")\(parameter.name.padded(toCells: width))"
        + "\(bar.padded(toCells: 11))\(text(of: parameter))", style)
  }

  /// The current value with its unit.
  private func text(of parameter: Parameter) -> String {
    let value = performance.values[parameter.name] ?? .none
    // As the option `--reserve` says it.
    if parameter.name == "reserve", let time = Parameter.number(value).flatMap(time(ofFrames:)) {
      return time
    }
    return parameter.words(of: value)
  }

  /// The lines under the list: the possible values of the selected parameter, and what it and its value are for.
  private func detail(_ columns: Int) -> [ScreenLine] {
    guard let parameter = selected else { return [] }
    let value = Parameter.text(performance.values[parameter.name] ?? .none)
    let choice = parameter.property.choiceSummaries[value].map { "\(value): \($0)" }
    return [
      "\(parameter.name): \(parameter.property.summary)", choice, range(of: parameter),
    ].compactMap(\.self).flatMap { text in
      text.wrapped(toCells: max(1, columns - 2)).map { ScreenLine("  \($0)", .faint) }
    }
  }

  /// The possible values: the choices, with the current one in brackets, or the range.
  private func range(of parameter: Parameter) -> String {
    guard !parameter.choices.isEmpty, parameter.property.kind != .bool else {
      return parameter.description
    }
    let current = Parameter.text(performance.values[parameter.name] ?? .none)
    return parameter.choices.map { $0 == current ? "[\($0)]" : $0 }.joined(separator: " ")
  }

  // MARK: Keys

  /// The width of one column of keys, in cells.
  private static let keyCell = 64

  private func keys(_ columns: Int, _ rows: Int) -> [ScreenLine] {
    Self.page(keyLines, from: firstKey, max(1, columns / Self.keyCell), rows, Self.keyCell)
  }

  private var keyLines: [ScreenLine] {
    KeyMap.entries.filter { !$0.label.isEmpty }.map {
      ScreenLine("  \($0.label.padded(toCells: 11))\($0.summary)")
    } + [ScreenLine(), ScreenLine("  Presets, bank \(bank + 1)", .faint)]
      + (1...Self.bankSize).compactMap { number in
        preset(number).map {
          ScreenLine("  \("\(number % Self.bankSize)".padded(toCells: 11))\($0)")
        }
      }
  }
}
