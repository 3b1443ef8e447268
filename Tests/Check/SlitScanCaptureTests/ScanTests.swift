// Tests of typed scans against the element's own properties.

import GStreamer
import SlitScanCapture
import Testing

@Suite struct ScanTests {
  @Test func typedPropertiesAreThoseOfTheirNames() throws {
    let typed = Scan(
      preset: "Vortex", map: .radial, depth: 60, gain: -2, mapLocation: "map.png",
      duration: .seconds(2), interpolation: .linear, freeze: true, sweepLoop: .pingPong,
      lineColor: 0xff00_ff00,
      maxMemory: 1 << 40)
    let named = Scan(
      preset: "Vortex",
      [
        "map": "radial", "depth": 60, "gain": -2.0, "map-location": "map.png", "freeze": true,
        "duration": 2_000_000_000, "interpolation": "linear", "sweep-loop": "ping-pong",
        "line-color": 0xff00_ff00, "max-memory": 1_099_511_627_776,
      ])
    #expect(typed == named)
    try typed.validate()
  }

  @Test func propertiesThatAreNamedCanBeReadTyped() {
    var scan: Scan = [
      "map": "radial", "depth": 60, "gain": 4, "duration": "1.5s", "freeze": true,
      "mode": "nothing",
    ]
    #expect(scan.map == .radial)
    #expect(scan.depth == 60)
    #expect(scan.gain == 4)
    #expect(scan.duration == .milliseconds(1500))
    #expect(scan.freeze == true)
    #expect(scan.mode == nil)
    #expect(scan.angle == nil)
    scan.map = .grid
    scan.depth = nil
    #expect(scan.properties["map"] == "grid")
    #expect(scan.properties["depth"] == nil)
  }

  @Test func choicesAreTheElementsInItsOrder() throws {
    let element = try ValidatedScan.makeElement()
    func expect<Choice: CaseIterable & RawRepresentable<String>>(
      _ name: String, _ type: Choice.Type
    ) throws {
      let property = try #require(element.properties.first { $0.name == name })
      #expect(property.kind == .choice(Choice.allCases.map(\.rawValue)))
    }
    try expect("mode", Scan.Mode.self)
    try expect("map", Scan.Map.self)
    try expect("edge", Scan.Edge.self)
    try expect("interpolation", Scan.Interpolation.self)
    try expect("warmup", Scan.Warmup.self)
    try expect("sweep-loop", Scan.SweepLoop.self)
    try expect("canvas", Scan.Canvas.self)
    try expect("history", Scan.History.self)
  }

  @Test(
    arguments: [
      (["map": "radail"], "map must be one of linear, radial"),
      (["map": "radail"], "live, not radail. Did you mean radial?"),
      (["map": "xyz"], "live, not xyz."),
      (["dept": 3], "Did you mean depth?"),
      (["depth": 0], "from 1 to 1000000"), (["duration": "5 apples"], "a time such as 5s"),
    ] as [(Scan, String)]) func aScanIsCheckedAtOnce(scan: Scan, hint: String)
  {
    let error = #expect(throws: CaptureError.self) { try scan.validate() }
    #expect(error?.code == .badScan)
    #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
    // GStreamer says the same, and is not quoted.
    #expect(error?.description == error?.message)
  }

  @Test func aPresetIsCheckedAtOnce() {
    let error = #expect(throws: CaptureError.self) {
      try Scan(preset: "Vertex", gain: 1).validate()
    }
    #expect(error?.code == .badScan)
    #expect(error?.message.contains("Vortex") == true, "\(error?.message ?? "")")
  }
}
