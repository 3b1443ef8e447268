// The strip mode on the GPU appends the slit's lines of every frame to a canvas.

import SlitScan

/// A slit, and the canvas that its lines are appended to: a *sheet* for each component.
struct TextureStrip: ~Copyable, CanvasMode {
  private let gl: GL
  private let passes: Passes
  private let input: FrameShape
  private var sheets: [Texture] = []
  /// The places of lines, nil where there is no canvas.
  private var ring: StripRing?
  /// Kept while they are asked for.
  private var ages: StripAges?
  private var slit: (key: Slit.Key, slit: Slit)?
  /// The pixels under the points of the slit, a line in each row.
  private var points: Texture?

  init(_ memory: borrowing TextureMemory, _ shape: FrameShape) {
    gl = memory.gl
    passes = memory.passes
    input = shape
  }

  mutating func forget() {
    sheets = []
    ring = nil
    ages = nil
  }

  func describe(_ settings: ScanSettings, in report: inout FrameReport) {
    for sheet in sheets { report.historyBytes += sheet.byteCount }
    ring?.describe(in: &report)
  }

  mutating func take(
    _ frame: borrowing FrameTextures, time: UInt64, settings: ScanSettings, output: FrameLayout,
    past: borrowing TextureDisplace?, memory: inout TextureMemory
  ) throws(ScanError) {
    ring?.beginFrame()
    let slit = try findSlit(settings, output, &memory.map)
    let seeThrough = settings.warmup == .transparent
    let lineCount = output.lineCount(along: slit.axis, settings)
    let fitting = min(
      max(memory.limit(settings) / output.lineBytes(along: slit.axis), 1), lineCount)
    if ring?.suits(slit.axis, lineCount: lineCount, fitting: fitting) != true {
      ring = nil
      ages = nil
      try makeSheets(output, along: slit.axis, lineCount: lineCount, fitting: fitting)
      try prepareAges(settings, output)
      // The frame is the newest of a reserve.
      if settings.reserve > 0 {
        return try fill(from: past, time: time, settings, slit, seeThrough)
      }
    }
    try prepareAges(settings, output)
    guard !settings.freeze else { return }
    try push(frame, slit, seeThrough)
    ages?.push(at: time, slit: slit)
  }

  private mutating func prepareAges(
    _ settings: ScanSettings, _ output: FrameLayout
  ) throws(ScanError) {
    guard let ring else { return }
    let unit = settings.keptAgeUnit
    if ages?.unit ?? 0 != unit { ages = unit > 0 ? try StripAges(output, ring, unit: unit) : nil }
  }

  /// Begins a canvas with the lines of the frames in the reserve.
  private mutating func fill(
    from past: borrowing TextureDisplace?, time: UInt64, _ settings: ScanSettings, _ slit: Slit,
    _ seeThrough: Bool
  ) throws(ScanError) {
    switch past {
    case .none: break
    case .some(let past):
      var held = HeldFrame(gl, input)
      let count = min(past.history.count, settings.reserve)
      for level in (0..<count).reversed() {
        let frame = try held.frame()
        past.history.copy(level, to: frame)
        try push(frame, slit, seeThrough)
      }
      withExtendedLifetime(held) {}
      // With `freeze`, the frame at hand is newer than these.
      let times = past.history.times
      ages?.push(at: times.newestTime ?? time, slit: slit, from: times, count: count)
    }
  }

  /// Appends the lines of a slit.
  private mutating func push(
    _ frame: FrameTextures, _ slit: Slit, _ seeThrough: Bool
  ) throws(ScanError) {
    guard let points, let ring else { return }
    let lines = ring.kept(of: points.height)
    let first = ring.place(ofLine: 0)
    // Beyond the end of the ring, lines go on at its start.
    let end = min(first + lines.count, ring.keptCount)
    let start = first - lines.lowerBound
    try append(frame, first..<end, from: start, points, slit.axis, seeThrough)
    if first + lines.count > end {
      try append(
        frame, 0..<(first + lines.count - end), from: start - ring.keptCount, points, slit.axis,
        seeThrough)
    }
    self.ring?.append(slit.lineCount)
  }

  /// The slit, with the points of the lines of it that the canvas takes.
  private mutating func findSlit(
    _ settings: ScanSettings, _ output: FrameLayout, _ map: inout TextureMap
  ) throws(ScanError) -> Slit {
    let isTraced = Slit.isTraced(settings)
    if isTraced { try map.prepare(settings, input, hasPixels: true) }
    let key = Slit.Key(settings, revision: isTraced ? map.revision : 0)
    if let slit, slit.key == key, points?.height == lineCount(of: slit.slit, on: output, settings) {
      return slit.slit
    }
    let slit = Slit(key, width: input.layout.width, height: input.layout.height)
    let lines = lineCount(of: slit, on: output, settings)
    if points?.width != slit.length || points?.height != lines {
      points = gl.makeTexture(.place, width: slit.length, height: lines)
    }
    guard let points else { throw .refusedTexture(for: "the slit") }
    if isTraced {
      guard let values = map.values(of: input.tiles.pixelPlane) else { return slit }
      let program = try passes.use(.trace)
      program.set(.position, Float(settings.slitPosition))
      program.set(.lineCount, slit.lineCount)
      gl.bind(values, to: .values)
      gl.target(points)
      gl.draw()
    } else {
      let places = (0..<lines).flatMap { line in
        (0..<slit.length).map { index -> SIMD4<Int32> in
          guard let (x, y) = slit.pixel(index, line: line) else { return SIMD4(repeating: -1) }
          return SIMD4(Int32(clamping: x), Int32(clamping: y), 0, 0)
        }
      }
      gl.upload(places.span, to: points, rows: lines)
    }
    self.slit = (key, slit)
    return slit
  }

  /// The number of lines of a slit that a canvas takes, within the longest side of a texture.
  private func lineCount(
    of slit: Slit, on output: FrameLayout, _ settings: ScanSettings
  ) -> Int {
    min(slit.lineCount, output.lineCount(along: slit.axis, settings), gl.longestSide)
  }

  /// Makes an empty canvas.
  ///
  /// - Parameter fitting: The newest lines that it keeps, or as many as the driver has memory for.
  private mutating func makeSheets(
    _ output: FrameLayout, along axis: StripAxis, lineCount: Int, fitting: Int
  ) throws(ScanError) {
    sheets = []
    ring = StripRing(along: axis, lineCount: lineCount, fitting: fitting) { lines in
      sheets = output.components.compactMap { makeSheet($0, of: output, along: axis, lines: lines) }
      return sheets.count == output.components.count
    }
    guard ring != nil else { throw .refusedTexture(for: "the canvas") }
  }

  private func makeSheet(
    _ component: FrameLayout.Component, of output: FrameLayout, along axis: StripAxis, lines: Int
  ) -> Texture? {
    let format = input.planes[component.plane].format.ofOneSample(component.bytes)
    let samples = output.lineSamples(component, along: axis)
    return axis == .rightwards
      ? gl.makeTexture(format, width: lines, height: samples)
      : gl.makeTexture(format, width: samples, height: lines)
  }

  private func black(_ component: FrameLayout.Component, _ seeThrough: Bool) -> SIMD4<Float> {
    let isBigEndian = input.layout.isBigEndian
    let bytes = component.blackBytes(seeThrough: seeThrough, isBigEndian: isBigEndian)
    let plane = input.planes[component.plane]
    guard plane.format.channelBytes == 1 else {
      return SIMD4(repeating: Float(Int(bytes[1]) << 8 | Int(bytes[0])) / 65_535)
    }
    return SIMD4(Float(bytes[0]) / 255, Float(bytes[1]) / 255, 0, 0)
  }

  /// Draws lines onto the sheets.
  ///
  /// - Parameter first: The place of the slit's first line.
  private func append(
    _ frame: FrameTextures, _ lines: Range<Int>, from first: Int, _ points: Texture,
    _ axis: StripAxis, _ seeThrough: Bool
  ) throws(ScanError) {
    guard !lines.isEmpty else { return }
    let program = try passes.use(.slit)
    program.set(.growsRight, axis == .rightwards)
    program.set(.first, first)
    gl.bind(points, to: .delays)
    for index in sheets.indices {
      let component = input.layout.components[index]
      let format = input.planes[component.plane].format
      program.set(
        .bytes,
        SIMD4(
          Int32(component.offset), Int32(component.step), Int32(format.texelBytes),
          Int32(format.channelBytes)))
      program.set(.shift, component.xShift, component.yShift)
      program.set(.colour, black(component, seeThrough))
      gl.bind(frame.names[component.plane], to: .source)
      gl.target(sheets[index])
      if axis == .rightwards {
        gl.viewport(x: lines.lowerBound, y: 0, width: lines.count, height: sheets[index].height)
      } else {
        gl.viewport(x: 0, y: lines.lowerBound, width: sheets[index].width, height: lines.count)
      }
      gl.draw()
    }
  }

  mutating func drawAges(
    _ settings: ScanSettings, memory: inout TextureMemory, into target: inout MutableFrameSpan
  ) throws(ScanError) {
    guard try ages?.draw(settings, into: &target, workers: memory.workers) != nil else {
      return target.clear()
    }
  }

  func draw(
    _ settings: ScanSettings, memory: inout TextureMemory, into target: inout FrameTextures
  ) throws(ScanError) {
    guard let ring, let output = memory.output, sheets.count == output.layout.components.count
    else { return }
    for index in output.planes.indices {
      let plane = output.planes[index]
      let program = try program(for: plane, ring, settings)
      var sheet = SIMD4<Int32>.zero
      var oddSheet = SIMD4<Int32>.zero
      var texelShift = SIMD4<Int32>.zero
      var across = SIMD4<Int32>.zero
      var down = SIMD4<Int32>.zero
      var channel = SIMD4<Int32>.zero
      var colour = SIMD4<Float>.zero
      var bound: Int32 = 0
      for (number, component) in output.layout.components.enumerated()
      where component.plane == index {
        guard bound < 4 else { break }
        let empty = black(component, settings.warmup == .transparent)
        for start in stride(from: component.offset, to: plane.plane.cellBytes, by: component.step) {
          for byte in stride(
            from: start, to: start + component.bytes, by: plane.format.channelBytes)
          {
            let place = byte % plane.format.texelBytes / plane.format.channelBytes
            if byte < plane.format.texelBytes { sheet[place] = bound }
            if byte >= plane.format.texelBytes || plane.cellShift == 0 { oddSheet[place] = bound }
            texelShift[place] = component.step > plane.format.texelBytes ? 1 : 0
            across[place] = Int32(component.xShift)
            down[place] = Int32(component.yShift)
            let part = (byte - start) / plane.format.channelBytes
            channel[place] = Int32(part)
            colour[place] = empty[part]
          }
        }
        let unit: TextureUnit =
          bound == 0 ? .source : bound == 1 ? .other : bound == 2 ? .third : .fourth
        gl.bind(sheets[number], to: unit)
        bound += 1
      }
      program.set(.sheet, sheet)
      program.set(.oddSheet, oddSheet)
      program.set(.texelShift, texelShift)
      program.set(.acrossShift, across)
      program.set(.downShift, down)
      program.set(.channel, channel)
      program.set(.colour, colour)
      gl.target(target.names[index], width: plane.width, height: plane.height)
      gl.draw()
    }
  }

  /// The program that draws a plane.
  private func program(
    for plane: TexelPlane, _ ring: StripRing, _ settings: ScanSettings
  ) throws(ScanError) -> Program {
    let program: Program
    switch settings.canvas {
    case .scroll, .wrap:
      program = try passes.use(.strip)
      program.set(.lineCount, ring.lineCount)
      program.set(.newest, ring.newest(scrolls: settings.canvas == .scroll))
    case .corridor, .tunnel:
      let view = StripView(settings, of: input.layout)
      program = try passes.use(.view(words: plane.words))
      program.set(.walls, view.walls)
      program.set(.view, SIMD4(view.x, view.y, view.width, view.height))
      program.set(.depth, view.depth)
      program.set(
        .pointCount, ring.axis == .rightwards ? input.layout.height : input.layout.width)
      program.set(.unusedBits, UInt32(plane.plane.unusedBits))
    }
    program.set(.growsRight, ring.axis == .rightwards)
    program.set(.keptCount, ring.keptCount)
    program.set(.heldCount, ring.heldCount)
    program.set(.substitute, ring.substitute(settings.warmup) ?? -1)
    program.set(.newestPlace, ring.newestPlace)
    return program
  }
}
