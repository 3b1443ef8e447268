// The logarithms of charts.

import Glibc

extension Double {
  /// The decimal logarithm.
  var logarithm: Double { log10(self) }

  /// A power of ten.
  static func tenToThe(_ power: Int) -> Double { pow(10, Double(power)) }
}
