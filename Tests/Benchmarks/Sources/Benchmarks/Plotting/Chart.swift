// Charts of cost against resolution and depth.

import Foundation
import SlitScan

/// A drawing of numbers.
struct Chart {
  var title: String
  var subtitle: String
  /// Drawn side by side, with one scale of y.
  var panels: [Panel]

  /// Two axes and the lines between them.
  struct Panel {
    var title: String
    var x: Axis
    var y: Axis
    var lines: [Line]
  }

  /// The label of an axis, with its unit, and the values that are marked on it.
  struct Axis {
    var title: String
    var ticks: [Tick]
  }

  struct Tick {
    var value: Double
    var label: String
  }

  /// Points that belong together, by ascending x.
  struct Line {
    var name: String
    var points: [(x: Double, y: Double)]
    /// Whether it is what the others are compared with.
    var isReference = false
  }
}

/// The places of values on a logarithmic axis.
struct LogScale {
  private let start: Double
  private let end: Double

  /// A scale that has room for all of `values`, which must be positive.
  init(fitting values: [Double], margin: Double = 1) {
    let usable = values.filter { $0 > 0 && $0.isFinite }
    start = ((usable.min() ?? 1) / margin).logarithm
    let last = ((usable.max() ?? 1) * margin).logarithm
    // One value alone lies in the middle.
    end = last > start ? last : start + 1
  }

  /// The place of a value, from 0 to 1.
  func place(_ value: Double) -> Double { (value.logarithm - start) / (end - start) }

  /// 1, 2 and 5 times the powers of ten that lie on the scale.
  var ticks: [Chart.Tick] {
    var ticks: [Chart.Tick] = []
    for power in -6...6 {
      for digit in [1.0, 2, 5] {
        let value = digit * Double.tenToThe(power)
        guard -1e-9...1 + 1e-9 ~= place(value) else { continue }
        ticks.append(Chart.Tick(value: value, label: value.digits(max(-power, 0))))
      }
    }
    return ticks
  }
}

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

extension Double {
  /// The decimal logarithm.
  var logarithm: Double { log10(self) }

  /// A power of ten.
  static func tenToThe(_ power: Int) -> Double { pow(10, Double(power)) }
}
