// Tests of the charts: files that any browser shows.

import Foundation
import Testing

@testable import Benchmarks

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct ChartTests {
  private let chart = Chart(
    title: "Cost & <benefit>", subtitle: "a machine",
    panels: ["left", "right"].map { title in
      Chart.Panel(
        title: title, x: Chart.Axis(title: "pixels", ticks: [Chart.Tick(value: 10, label: "10")]),
        y: Chart.Axis(title: "milliseconds", ticks: LogScale(fitting: [0.5, 40]).ticks),
        lines: [
          Chart.Line(name: "rows", points: [(1, 1), (10, 10), (100, 40)]),
          Chart.Line(name: "memcpy", points: [(1, 0.5), (100, 20)], isReference: true),
        ])
    })

  @Test func aChartIsXMLWithAllThatItShows() throws {
    let document = try XMLDocument(xmlString: SVGWriter.svg(chart))
    let root = try #require(document.rootElement())
    #expect(root.name == "svg")
    #expect(root.elements(forName: "g").count == 2)
    for panel in root.elements(forName: "g") {
      let labels = panel.elements(forName: "text").compactMap(\.stringValue)
      #expect(labels.contains("pixels"))
      #expect(labels.contains("milliseconds"))
      #expect(labels.contains("10"))
      #expect(panel.elements(forName: "polyline").count == 2)
    }
    let labels = root.elements(forName: "text").compactMap(\.stringValue)
    #expect(labels.contains("Cost & <benefit>"))
    #expect(labels.filter { $0 == "rows" }.count == 1)
    #expect(labels.contains("memcpy"))
  }

  @Test func everyPointLiesInsideItsPanel() throws {
    let points = SVGWriter.svg(chart).matches(of: /<circle cx="([\d.]+)" cy="([\d.]+)"/)
    #expect(points.count == 2 * (3 + 2))
    for point in points {
      let x = try #require(Double(point.1))
      let y = try #require(Double(point.2))
      #expect(0...1040 ~= x)
      #expect(100...400 ~= y)
    }
  }

  @Test func aLogarithmicScaleHasEqualStepsForEqualRatios() {
    let scale = LogScale(fitting: [1, 10, 100])
    #expect(abs(scale.place(1)) < 1e-9)
    #expect(abs(scale.place(10) - 0.5) < 1e-9)
    #expect(abs(scale.place(100) - 1) < 1e-9)
    #expect(scale.ticks.map(\.label) == ["1", "2", "5", "10", "20", "50", "100"])
    #expect(LogScale(fitting: [0.05, 0.5]).ticks.map(\.label) == ["0.05", "0.1", "0.2", "0.5"])
    #expect(LogScale(fitting: [7]).place(7).isFinite)
    #expect(LogScale(fitting: []).place(1).isFinite)
  }
}
