// A program is a fragment shader that is run for each texel of a target, made of the files of Shaders.

import SlitScan

/// The samplers of the shaders, by the unit that each reads.
enum TextureUnit: CaseIterable {
  case source
  case other
  case third
  case fourth
  case values
  case delays
  case ages
  case rows
  /// This unit and those after it.
  case history

  static let count = 16

  var number: Int {
    switch self {
    case .source: 0
    case .other: 1
    case .third: 2
    case .fourth: 3
    case .values: 4
    case .delays: 5
    case .ages: 6
    case .rows: 7
    case .history: 8
    }
  }

  /// The names of the samplers; no program has two of one unit.
  var samplers: [String] {
    switch self {
    case .ages: ["ages", "before", "columns", "fields", "places"]
    case .delays: ["delays", "field", "points"]
    case .rows: ["rows", "nodes"]
    case .history: (0..<8).map { "history\($0)" }
    default: ["\(self)"]
    }
  }
}

/// The other uniforms of the shaders.
enum Uniform: Int, CaseIterable {
  case acrossShift, ageCount, black, blockShift, bytes, capacity, cellShift, channel, channels
  case colour, corners, counts, decay, deepest, depth, downShift, edge, ends, endWeight, exposure
  case extra, fieldsAcross, fieldSize, first
  case frozen, gain, growsRight, growth, halfAcross, halfDown, heldCount, inverts, isLinear, isLive
  case isRounded, isScaled, keptCount, lanes, lineCount, lowBits, newest, newestPlace, now
  case oddColour, oddExtra, oddSheet, offset, oldest, partCount, partShares, pointCount, position
  case radius, range, rangeShift, runCount, runs, share, sheet, shift, size, slack, slotSize
  case slotsInLayer, stamp, steps, substitute, tables, texelShift, threshold, unusedBits, view
  case walls, way, weight, whiteLevel
}

/// A program that is linked.
final class Program {
  let gl: GL
  private let name: UInt32
  private var locations: [Int32] = []

  /// Links what is in shader files, one after another.
  ///
  /// - Throws: ``ScanError`` where the driver refuses that.
  init(_ gl: GL, _ files: [[UInt8]], _ defines: [String] = []) throws(ScanError) {
    self.gl = gl
    let head =
      gl.isES
      ? "#version 300 es\nprecision highp float;\nprecision highp int;\n"
        + "precision highp sampler2D;\nprecision highp sampler2DArray;\n"
        + "precision highp usampler2D;\nprecision highp isampler2D;\n"
      : "#version 330 core\n"
    func text(_ files: [[UInt8]], _ defines: [String]) -> String {
      head + defines.map { "#define \($0)\n" }.joined()
        + files.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }
    name = try gl.makeProgram(
      vertex: text([PackageResources.cover_glsl], []), fragment: text(files, defines),
      locations: &locations)
  }

  deinit { gl.delete(program: name) }

  func use() { gl.use(name) }

  /// Where a uniform is; -1 where the program has none.
  func location(of uniform: Uniform) -> Int32 { locations[uniform.rawValue] }
}
