// The memory limit of the settings, and the check whether a frame size and depth fit into it.

import CLinuxMemory

extension ScanSettings {
  /// A quarter of the memory that this machine, or the container, has.
  private static let quarterOfMemory = unsafe Int(clamping: linux_memory_limit("") / 4)

  /// Bytes that history or canvas may take.
  var memoryLimit: Int {
    maximumMemory == 0 ? Self.quarterOfMemory : Int(clamping: maximumMemory)
  }

  /// The layout of the output for frames of a layout.
  ///
  /// - Throws: ``ScanError`` for a canvas that is longer than any picture, or larger than the limit.
  func outputLayout(for input: FrameLayout) throws(ScanError) -> FrameLayout {
    guard mode == .strip else { return input }
    let size = outputSize(width: input.width, height: input.height)
    let longest = FrameLayout.longestSide
    guard canvasLength <= longest else { throw .canvasTooLong(longest) }
    let output = try input.resized(width: size.width, height: size.height)
    let needed = StripCanvas.byteCount(output, axis: Slit.axis(of: map))
    let limit = memoryLimit
    guard needed > limit else { return output }
    let length = max(canvasLength, 1)
    throw .canvasTooLarge(
      output, bytes: needed, limit: limit,
      fitting: Int(Double(length) * (Double(limit) / Double(needed))))
  }
}
