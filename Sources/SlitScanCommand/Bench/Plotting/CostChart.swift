// The chart of `slitscan bench --plot`: cost against resolution, and cost against depth.

import SlitScan

extension Chart {
  /// Two panels with a line for each map, and one for memcpy.
  ///
  /// - Parameters:
  ///   - sizes: Measurements that differ in map and size.
  ///   - depths: Measurements that differ in map and depth.
  static func costs(sizes: [Measurement], depths: [Measurement]) -> Chart {
    let y = LogScale(
      fitting: (sizes + depths).flatMap { [$0.milliseconds, $0.memcpyMilliseconds] }, margin: 1.3)
    let milliseconds = Axis(title: "milliseconds a frame", ticks: y.ticks)
    let subjects = SubjectColumns(
      (sizes + depths).map(\.subject), without: [.size, .depth])
    let depth = sizes.lazy.compactMap(\.subject.depth).first
    let size = depths.first?.subject.size
    return Chart(
      title: "What a frame costs slitscan",
      subtitle: "\(subjects.shared); \(Machine.current.summary)",
      panels: [
        panel(
          depth.map { "against resolution, depth \($0)" } ?? "against resolution", sizes, subjects,
          y: milliseconds,
          axis: "millions of pixels", x: { Double($0.size.pixelCount) / 1e6 },
          label: { (Double($0.size.pixelCount) / 1e6).digits(2) }),
        panel(
          size.map { "against depth, \($0)" } ?? "against depth", depths, subjects, y: milliseconds,
          axis: "frames of history",
          x: { Double($0.depth ?? 1) }, label: { "\($0.depth ?? 1)" }),
      ])
  }

  private static func panel(
    _ title: String, _ measurements: [Measurement], _ subjects: SubjectColumns, y: Axis,
    axis: String,
    x: (BenchCase) -> Double, label: (BenchCase) -> String
  ) -> Panel {
    var ticks: [Double: String] = [:]
    var copies: [Double: [Double]] = [:]
    var lines: [Line] = []
    for measurement in measurements {
      let place = x(measurement.subject)
      ticks[place] = label(measurement.subject)
      copies[place, default: []].append(measurement.memcpyMilliseconds)
      let name = subjects.cells(measurement.subject).joined(separator: " ")
      let index = lines.firstIndex { $0.name == name } ?? lines.count
      if index == lines.count { lines.append(Line(name: name, points: [])) }
      lines[index].points.append((place, measurement.milliseconds))
    }
    let places = ticks.keys.sorted()
    for index in lines.indices { lines[index].points.sort { $0.x < $1.x } }
    lines.append(
      Line(
        name: "memcpy of the frame", points: places.map { ($0, copies[$0, default: []].median) },
        isReference: true))
    return Panel(
      title: title,
      x: Axis(title: axis, ticks: places.map { Tick(value: $0, label: ticks[$0] ?? "") }), y: y,
      lines: lines)
  }
}
