// Rows of numbers: what maps are made of before they become delays.

/// Values in rows, one after another, in memory that the system may refuse.
struct Raster: ~Copyable {
  /// Values in a row; 0 while there are none.
  private(set) var width = 0
  /// Rows.
  private(set) var height = 0
  /// Counts the changes.
  private(set) var revision = 0
  private var memory = LineMemory()

  init() {}

  /// Whether there are no values.
  var isEmpty: Bool { width == 0 }

  /// Makes room for other values; what they are is open.
  ///
  /// - Returns: false if the system refuses the memory; the raster is empty then.
  mutating func resize(width newWidth: Int, height newHeight: Int) -> Bool {
    let (count, overflows) = newWidth.multipliedReportingOverflow(by: newHeight)
    guard !overflows, count <= Int.max / MemoryLayout<Float>.size,
      memory.grow(to: count * MemoryLayout<Float>.size)
    else {
      clear()
      return false
    }
    width = newWidth
    height = newHeight
    return true
  }

  /// Forgets the values; their memory stays.
  mutating func clear() {
    width = 0
    height = 0
    revision += 1
  }

  /// Forgets the values and gives their memory back.
  mutating func forget() {
    memory = LineMemory()
    clear()
  }

  /// Trades places with what came before: no revision of the two comes again.
  mutating func supersede(_ other: inout Raster) {
    swap(&self, &other)
    revision = max(revision, other.revision) + 1
  }

  /// A row, to read.
  @_lifetime(borrow self)
  func row(_ y: Int) -> Span<Float> {
    memory.floats.extracting((y * width)..<((y + 1) * width))
  }

  /// All values, to read.
  var values: Span<Float> {
    @_lifetime(borrow self)
    get { memory.floats.extracting(0..<(width * height)) }
  }

  /// All values, to write; counts as a change.
  var mutableValues: MutableSpan<Float> {
    @_lifetime(&self)
    mutating get {
      revision += 1
      let count = width * height
      return memory.mutableFloats(count)
    }
  }
}
