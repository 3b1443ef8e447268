// A chart as SVG: text that any browser shows and any editor opens.

/// Draws a chart.
struct SVGWriter {
  private static let width = 1040.0
  private static let height = 520.0
  private static let panelSize = (width: 400.0, height: 300.0)
  private static let panelTop = 100.0
  /// Okabe and Ito's colours, which people of all kinds of sight can tell apart.
  private static let colours = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
  ]
  private static let referenceColour = "#777777"

  private var text = ""
  /// The names of lines in the order of their colours.
  private var names: [String] = []

  /// The whole file.
  static func svg(_ chart: Chart) -> String {
    var writer = SVGWriter()
    writer.draw(chart)
    return writer.text
  }

  private mutating func draw(_ chart: Chart) {
    text += """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width.digits(0))" \
      height="\(Self.height.digits(0))" viewBox="0 0 \(Self.width.digits(0)) \
      \(Self.height.digits(0))" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" \
      font-size="12" fill="#222222">
      <title>\(Self.escaped(chart.title))</title>
      <rect width="100%" height="100%" fill="#ffffff"/>

      """
    label(chart.title, x: Self.width / 2, y: 30, size: 18)
    label(chart.subtitle, x: Self.width / 2, y: 52)
    for line in chart.panels.flatMap(\.lines) where !line.isReference && !names.contains(line.name)
    {
      names.append(line.name)
    }
    let heights = chart.panels.flatMap(\.lines).flatMap(\.points).map(\.y)
    let y = LogScale(fitting: heights, margin: 1.3)
    let gap = (Self.width - Double(chart.panels.count) * Self.panelSize.width) / 2.5
    for (index, panel) in chart.panels.enumerated() {
      draw(panel, left: gap + Double(index) * (Self.panelSize.width + gap * 0.9), y: y)
    }
    drawLegend(chart)
    text += "</svg>\n"
  }

  // MARK: Panels

  private mutating func draw(_ panel: Chart.Panel, left: Double, y: LogScale) {
    let (width, height) = Self.panelSize
    let top = Self.panelTop
    let x = LogScale(fitting: panel.lines.flatMap(\.points).map(\.x), margin: 1.1)
    func place(_ point: (x: Double, y: Double)) -> (x: Double, y: Double) {
      (left + x.place(point.x) * width, top + (1 - y.place(point.y)) * height)
    }
    text += "<g>\n"
    label(panel.title, x: left + width / 2, y: top - 14, size: 14)
    for tick in panel.y.ticks {
      let height = place((x: 1, y: tick.value)).y
      stroke(from: (left, height), to: (left + width, height), colour: "#dddddd")
      label(tick.label, x: left - 8, y: height + 4, anchor: "end")
    }
    var lastLabel = -Double.infinity
    for tick in panel.x.ticks {
      let across = place((x: tick.value, y: 1)).x
      stroke(from: (across, top), to: (across, top + height), colour: "#dddddd")
      // Labels that would lie on each other are left out.
      guard across - lastLabel >= 34 else { continue }
      lastLabel = across
      label(tick.label, x: across, y: top + height + 18)
    }
    text += """
      <rect x="\(left.digits(1))" y="\(top.digits(1))" width="\(width.digits(1))" \
      height="\(height.digits(1))" fill="none" stroke="#444444"/>

      """
    label(panel.x.title, x: left + width / 2, y: top + height + 42)
    label(panel.y.title, x: left - 46, y: top + height / 2, isUpright: true)
    for line in panel.lines { draw(line, line.points.map(place)) }
    text += "</g>\n"
  }

  private mutating func draw(_ line: Chart.Line, _ points: [(x: Double, y: Double)]) {
    let colour = colour(of: line)
    let corners = points.map { "\($0.x.digits(1)),\($0.y.digits(1))" }.joined(separator: " ")
    text += """
      <polyline points="\(corners)" fill="none" stroke="\(colour)" stroke-width="2"\
      \(line.isReference ? " stroke-dasharray=\"6 4\"" : "")/>

      """
    for point in points {
      text += """
        <circle cx="\(point.x.digits(1))" cy="\(point.y.digits(1))" r="3" fill="\(colour)"/>

        """
    }
  }

  private func colour(of line: Chart.Line) -> String {
    guard !line.isReference, let index = names.firstIndex(of: line.name) else {
      return Self.referenceColour
    }
    return Self.colours[index % Self.colours.count]
  }

  // MARK: Legend

  private mutating func drawLegend(_ chart: Chart) {
    var entries: [Chart.Line] = []
    for line in chart.panels.flatMap(\.lines)
    where !entries.contains(where: { $0.name == line.name }) {
      entries.append(line)
    }
    // About as wide as the letters are.
    let widths = entries.map { 48 + 7.5 * Double($0.name.count) }
    var left = (Self.width - widths.reduce(0, +)) / 2
    let y = Self.height - 36
    for (line, width) in zip(entries, widths) {
      text += """
        <line x1="\(left.digits(1))" y1="\(y.digits(1))" x2="\((left + 26).digits(1))" \
        y2="\(y.digits(1))" stroke="\(colour(of: line))" stroke-width="2"\
        \(line.isReference ? " stroke-dasharray=\"6 4\"" : "")/>

        """
      label(line.name, x: left + 32, y: y + 4, anchor: "start")
      left += width
    }
  }

  // MARK: Marks

  private mutating func stroke(
    from start: (x: Double, y: Double), to end: (x: Double, y: Double), colour: String
  ) {
    text += """
      <line x1="\(start.x.digits(1))" y1="\(start.y.digits(1))" x2="\(end.x.digits(1))" \
      y2="\(end.y.digits(1))" stroke="\(colour)"/>

      """
  }

  private mutating func label(
    _ words: String, x: Double, y: Double, size: Int = 12, anchor: String = "middle",
    isUpright: Bool = false
  ) {
    let turn = isUpright ? " transform=\"rotate(-90 \(x.digits(1)) \(y.digits(1)))\"" : ""
    text += """
      <text x="\(x.digits(1))" y="\(y.digits(1))" font-size="\(size)" text-anchor="\(anchor)"\
      \(turn)>\(Self.escaped(words))</text>

      """
  }

  private static func escaped(_ words: String) -> String {
    words.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
