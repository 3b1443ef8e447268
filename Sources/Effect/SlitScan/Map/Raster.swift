// A raster is a rectangle of numbers from which maps are made.

/// Values in rows, one after another, in memory that the system may refuse.
///
/// They are numbers, or the samples of one byte that a frame has, of which values are made when they
/// are read: (sample − `black`)·`scale` within 0…1. Those take a quarter of the memory's time.
struct Raster: ~Copyable {
  /// The form of values in memory.
  enum Form: Equatable {
    case values
    case samples(black: Float, scale: Float)

    /// Bytes of each.
    fileprivate var size: Int { self == .values ? MemoryLayout<Float>.size : 1 }
  }

  /// Values in a row; 0 while there are none.
  private(set) var width = 0
  /// Rows.
  private(set) var height = 0
  /// The form of the values.
  private(set) var form = Form.values
  /// Counts the changes.
  private(set) var revision = 0
  private var memory = LineMemory()

  init() {}

  /// Whether there are no values.
  var isEmpty: Bool { width == 0 }

  /// Makes room for other values; what they are is open.
  ///
  /// - Returns: false if the system refuses the memory; the raster is empty then.
  mutating func resize(width newWidth: Int, height newHeight: Int, form newForm: Form) -> Bool {
    let (count, overflows) = newWidth.multipliedReportingOverflow(by: newHeight)
    guard !overflows, count <= Int.max / newForm.size, memory.grow(to: count * newForm.size) else {
      clear()
      return false
    }
    width = newWidth
    height = newHeight
    form = newForm
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

  /// Trades places with another: no revision of the two comes again.
  mutating func exchange(with other: inout Raster) {
    swap(&self, &other)
    revision = max(revision, other.revision) + 1
    other.revision = revision
  }

  /// A row, to read; none of samples.
  @_lifetime(borrow self)
  func row(_ y: Int) -> Span<Float> {
    guard form == .values else { return Span() }
    return memory.floats.extracting((y * width)..<((y + 1) * width))
  }

  /// Fills in the values of a row, whatever they are kept as.
  func read(row y: Int, into values: inout MutableSpan<Float>, at offset: Int) {
    switch form {
    case .values: Kernels.copy(row(y), into: &values, at: offset)
    case .samples(let black, let scale):
      let samples = memory.bytes.extracting((y * width)..<((y + 1) * width))
      Kernels.values(of: samples, black: black, scale: scale, into: &values, at: offset)
    }
  }

  /// Fills in the means of each two values of a row, `count` of them.
  func halve(row y: Int, into values: inout MutableSpan<Float>, at offset: Int, count: Int) {
    switch form {
    case .values: Kernels.halve(row(y), into: &values, at: offset, count: count)
    case .samples(let black, let scale):
      let samples = memory.bytes.extracting((y * width)..<((y + 1) * width))
      Kernels.halve(
        samples, black: black, scale: scale, into: &values, at: offset, count: count)
    }
  }

  /// All values, to read; none of samples.
  var values: Span<Float> {
    @_lifetime(borrow self)
    get { memory.floats.extracting(0..<(form == .values ? width * height : 0)) }
  }

  /// All samples, to read; none of values.
  var samples: RawSpan {
    @_lifetime(borrow self)
    get { memory.bytes.extracting(0..<(form == .values ? 0 : width * height)) }
  }

  /// All values, to write; counts as a change.
  var mutableValues: MutableSpan<Float> {
    @_lifetime(&self)
    mutating get {
      revision += 1
      let count = form == .values ? width * height : 0
      return memory.mutableFloats(count)
    }
  }

  /// All samples, to write; counts as a change.
  var mutableSamples: MutableRawSpan {
    @_lifetime(&self)
    mutating get {
      revision += 1
      return memory.mutableBytes
    }
  }
}
