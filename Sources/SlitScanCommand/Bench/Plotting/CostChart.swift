// The chart of `slitscan bench plot`: cost against resolution, and cost against depth.

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
    let subject = sizes.first?.subject ?? depths.first?.subject
    let sizeDepth = sizes.first?.subject.depth ?? 0
    let depthSize = depths.first.map { "\($0.subject.size)" } ?? ""
    return Chart(
      title: "What a frame costs slitscan",
      subtitle: [
        subject?.format.rawValue, subject?.interpolation?.rawValue,
        subject.map { $0.threads == 1 ? "1 thread" : "\($0.threads) threads" },
        Machine.current.summary,
      ].compactMap { $0 }.joined(separator: ", "),
      panels: [
        panel(
          "against resolution, depth \(sizeDepth)", sizes, y: milliseconds,
          axis: "millions of pixels", x: { Double($0.size.pixelCount) / 1e6 },
          label: { (Double($0.size.pixelCount) / 1e6).digits(2) }),
        panel(
          "against depth, \(depthSize)", depths, y: milliseconds, axis: "frames of history",
          x: { Double($0.depth ?? 1) }, label: { "\($0.depth ?? 1)" }),
      ])
  }

  private static func panel(
    _ title: String, _ measurements: [Measurement], y: Axis, axis: String,
    x: (BenchCase) -> Double, label: (BenchCase) -> String
  ) -> Panel {
    var ticks: [Double: String] = [:]
    var copies: [Double: [Double]] = [:]
    var lines: [Line] = []
    for measurement in measurements {
      let place = x(measurement.subject)
      ticks[place] = label(measurement.subject)
      copies[place, default: []].append(measurement.memcpyMilliseconds)
      let name = measurement.subject.map.rawValue
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
