// The sweep mode on the GPU freezes what the slit has passed and shows the rest live.

import CSlitScanKernels
import SlitScan

/// The output of a sweep: frozen where g ≤ p, as it was when the slit passed; live elsewhere.
struct TextureSweep: ~Copyable, FrameMode {
  private let gl: GL
  private let passes: Passes
  private let shape: FrameShape
  private var canvas: HeldFrame
  /// The frame that came in last, for `mix`.
  private var lastInput: HeldFrame
  /// The target of frames before they are mixed.
  private var unmixed: HeldFrame
  /// Kept while they are asked for.
  private var ages: TextureSweepAges?
  /// The place of the slit.
  private var state = SweepState()

  init(_ memory: borrowing TextureMemory, _ shape: FrameShape) {
    gl = memory.gl
    passes = memory.passes
    self.shape = shape
    canvas = HeldFrame(gl, shape, for: "the canvas of a sweep")
    lastInput = HeldFrame(gl, shape)
    unmixed = HeldFrame(gl, shape)
  }

  func describe(_ settings: ScanSettings, in report: inout FrameReport) {
    for frame in [canvas, lastInput, unmixed] { report.historyBytes += frame.byteCount }
    report.historyBytes += ages.read { $0.byteCount } ?? 0
    state.describe(in: &report)
  }

  mutating func forget() {
    lastInput.isHeld = false
    ages = nil
    state = SweepState()
  }

  /// Moves the slit; what it has not passed before becomes this frame's.
  mutating func take(
    _ frame: borrowing FrameTextures, time: UInt64, settings: ScanSettings, output: FrameLayout,
    memory: inout TextureMemory
  ) throws(ScanError) {
    state.beginFrame()
    lastInput.isHeld = false
    if settings.mix < 1 { try lastInput.hold(frame) }
    let canvas = try canvas.frame()
    let unit = settings.keptAgeUnit
    if ages?.unit ?? 0 != unit {
      ages = unit > 0 ? try TextureSweepAges(gl, passes, shape.layout, unit: unit) : nil
    }
    try memory.map.prepare(settings, shape)
    let part = state.advance(to: time, settings)
    switch part {
    case .nothing: break
    case .everything: gl.copy(shape, from: frame, to: canvas)
    case .above(let frozen):
      let program = try passes.use(.sweep(stamps: false))
      program.set(SlitScanCurve(settings))
      program.set(.frozen, frozen)
      for index in shape.planes.indices {
        let plane = shape.planes[index]
        guard let values = memory.map.values(of: plane.plane) else { continue }
        program.set(.cellShift, plane.cellShift)
        gl.bind(frame.names[index], to: .source)
        gl.bind(values, to: .values)
        gl.target(canvas.names[index], width: plane.width, height: plane.height)
        gl.draw()
      }
    }
    guard part != .nothing || !settings.freeze else { return }
    try ages?.advance(to: time, part, SlitScanCurve(settings), memory.map)
  }

  mutating func drawAges(
    _ settings: ScanSettings, memory: inout TextureMemory, into target: inout MutableFrameSpan
  ) throws(ScanError) {
    guard try ages?.draw(into: &target) != nil else { return target.clear() }
  }

  /// Draws the output, with the line on it if there is one.
  mutating func draw(
    _ settings: ScanSettings, memory: inout TextureMemory, into target: inout FrameTextures
  ) throws(ScanError) {
    guard canvas.byteCount > 0 else { return }
    let canvas = try canvas.frame()
    let share = UInt32(((1 - settings.mix) * 65_536).rounded())
    guard share > 0, lastInput.isHeld else {
      if state.showsLine(settings) {
        try drawLine(settings, memory.map, from: canvas, into: target)
      } else {
        gl.copy(shape, from: canvas, to: target)
      }
      return
    }
    var source = canvas
    if state.showsLine(settings) {
      source = try unmixed.frame()
      try drawLine(settings, memory.map, from: canvas, into: source)
    }
    try passes.blend(
      shape, from: source, towards: try lastInput.frame(), weight: share, isRounded: true,
      into: target)
  }

  private func drawLine(
    _ settings: ScanSettings, _ map: borrowing TextureMap, from canvas: FrameTextures,
    into target: FrameTextures
  ) throws(ScanError) {
    let line = ColourTiles(shape.tiles, samples: settings.lineSamples)
    for index in shape.planes.indices {
      let plane = shape.planes[index]
      guard let values = map.values(of: plane.plane) else { continue }
      let program = try passes.use(.line(words: plane.words))
      program.set(SlitScanCurve(settings))
      program.set(.cellShift, plane.cellShift)
      program.set(.position, state.position)
      program.set(.halfAcross, Float(settings.lineWidth / 2 / Double(plane.plane.pixelsWide)))
      program.set(.halfDown, Float(settings.lineWidth / 2 / Double(plane.plane.pixelsHigh)))
      program.set(.weight, UInt32((Double(settings.lineColor >> 24) / 255 * 65_536).rounded()))
      program.set(.unusedBits, UInt32(plane.plane.unusedBits))
      let colour = plane.channels(of: line.cell(ofPlane: index))
      program.set(.colour, colour.even)
      program.set(.oddColour, colour.odd)
      gl.bind(canvas.names[index], to: .source)
      gl.bind(values, to: .values)
      gl.target(target.names[index], width: plane.width, height: plane.height)
      gl.draw()
    }
  }
}
