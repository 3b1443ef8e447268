// Charts as values: panels of lines on logarithmic axes.

/// A picture of numbers.
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

  /// What an axis shows, with its unit, and the values that are marked on it.
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

/// Where values lie on a logarithmic axis.
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
