// The columns that say what a case costs.

/// Titles and cells of a measurement.
enum MeasurementColumns {
  static let columns: [Table.Column] = [
    .number("ms"), .number("frames/s"), .number("MB/frame"), .number("GB/s"),
    .number("memcpy ms"), .number("× memcpy"), .number("allocs"), .number("history MB"),
    .number("resident MB"), .number("peak MB"),
  ]

  static func cells(_ measurement: Measurement) -> [String] {
    [
      measurement.milliseconds.digits(3), measurement.framesPerSecond.digits(1),
      megabytes(measurement.bytesMoved), measurement.gigabytesPerSecond.digits(1),
      measurement.memcpyMilliseconds.digits(3), measurement.ratio.digits(2),
      measurement.allocationsPerFrame.map { $0.digits(1) } ?? "–",
      megabytes(measurement.historyBytes), megabytes(measurement.residentBytes),
      megabytes(measurement.peakBytes),
    ]
  }

  private static func megabytes(_ bytes: Int) -> String { (Double(bytes) / 1e6).digits(1) }
}
