// The feedback places say where in the last output the samples of a frame lie, as that is scaled, turned and moved.

/// The places of all samples as sums: for each component, what a column adds to both coordinates, and what a row does.
///
/// Places are in 1/256 of the component's samples, as `Definitions.md` says.
package struct FeedbackPlaces: ~Copyable {
  /// The tables of a component, in their order in memory.
  package enum Table: Int, CaseIterable {
    case columnX, columnY, rowX, rowY
  }

  /// Components that lie side by side in the cells of a plane and have the same places, or one that does not.
  struct Group {
    /// The first of them.
    var component: Int
    /// Bytes from the start of a row, and of all of them.
    var offset: Int
    var byteCount: Int
    /// A bit for each byte of padding.
    var padding: UInt32
  }

  private struct Key: Equatable {
    var zoom: Double
    var degrees: Double
    var x: Double
    var y: Double
    var centerX: Double
    var centerY: Double
  }

  /// Numbers of each table, some of which are unused: as many as the longer side has pixels.
  package let length: Int
  let groups: [Group]
  private let layout: FrameLayout
  private var memory = LineMemory()
  private var key: Key?

  /// No places yet for the frames of a layout.
  package init(_ layout: FrameLayout) {
    self.layout = layout
    length = max(layout.width, layout.height)
    groups = layout.components.indices.compactMap { layout.feedbackGroup(of: $0) }
  }

  /// The components that have tables; padding has none.
  package var componentCount: Int { layout.components.count { $0.role != .padding } }

  /// The bytes of memory that the tables take.
  package var byteCount: Int { memory.byteCount }

  /// The tables, of 32-bit numbers, component after component.
  package var tables: RawSpan {
    @_lifetime(borrow self)
    get { memory.bytes }
  }

  /// Makes the tables for some settings, unless they are those.
  ///
  /// - Returns: Whether they have changed.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  package mutating func prepare(_ settings: ScanSettings) throws(ScanError) -> Bool {
    let key = Key(
      zoom: settings.feedbackZoom, degrees: settings.feedbackRotation, x: settings.feedbackX,
      y: settings.feedbackY, centerX: settings.centerX, centerY: settings.centerY)
    guard key != self.key else { return false }
    let size = componentCount * Table.allCases.count * length * MemoryLayout<Int32>.size
    guard memory.grow(to: size) else { throw .refused(size, for: "the places of feedback") }
    fill(key)
    self.key = key
    return true
  }

  private mutating func fill(_ key: Key) {
    let (sine, cosine) = MapField.direction(degrees: key.degrees)
    let width = Double(layout.width)
    let height = Double(layout.height)
    let (centerX, centerY) = (key.centerX * width, key.centerY * height)
    // The place that shows the centre of the output.
    let (toX, toY) = (centerX + key.x * width, centerY + key.y * height)
    for (number, component) in layout.components.enumerated() where component.role != .padding {
      let across = Double(1 << component.xShift)
      let down = Double(1 << component.yShift)
      for column in 0..<layout.samplesWide(component) {
        let x = ((Double(column) + 0.5) * across - toX) / key.zoom
        set((centerX + x * cosine) / across - 0.5, .columnX, of: number, at: column)
        set(-x * sine / down, .columnY, of: number, at: column)
      }
      for row in 0..<layout.samplesHigh(component) {
        let y = ((Double(row) + 0.5) * down - toY) / key.zoom
        set(y * sine / across, .rowX, of: number, at: row)
        set((centerY + y * cosine) / down - 0.5, .rowY, of: number, at: row)
      }
    }
  }

  private mutating func set(_ samples: Double, _ table: Table, of component: Int, at index: Int) {
    let place = (256 * samples + 0.5).rounded(.down)
    let most = Double((1 << 30) - 1)
    let number = (component * Table.allCases.count + table.rawValue) * length + index
    var bytes = memory.mutableBytes
    bytes.storeBytes(
      of: Int32(min(max(place, -most), most)), toByteOffset: number * MemoryLayout<Int32>.size,
      as: Int32.self)
  }
}

extension FrameLayout {
  /// The group that begins with a component; nil where that is in the group of another.
  fileprivate func feedbackGroup(of number: Int) -> FeedbackPlaces.Group? {
    let component = components[number]
    let others = components.filter { $0.plane == component.plane }
    let cellBytes = planes[component.plane].cellBytes
    guard component.role != .padding else { return nil }
    guard others.allSatisfy({ $0.step == cellBytes }) else {
      return FeedbackPlaces.Group(
        component: number, offset: component.offset, byteCount: component.bytes, padding: 0)
    }
    guard components.firstIndex(where: { $0.plane == component.plane }) == number else {
      return nil
    }
    let padding = others.reduce(into: UInt32(0)) { bits, other in
      if other.role == .padding { bits |= 1 << UInt32(other.offset) }
    }
    return FeedbackPlaces.Group(
      component: number, offset: 0, byteCount: cellBytes, padding: padding)
  }
}

extension ScanSettings {
  /// Whether what is fed back is scaled, turned or moved.
  package var movesFeedback: Bool {
    feedbackZoom != 1 || feedbackRotation != 0 || feedbackX != 0 || feedbackY != 0
  }
}
