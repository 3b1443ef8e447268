// A peer is another program that makes slit-scan video, with the slitscan settings that give the same image.

/// Another way to the same output.
struct Peer {
  /// The name in the table.
  var name: String
  /// The program that must be there, and how to get it.
  var requirement: Requirement
  /// The equivalent in slitscan, for the table.
  var equivalent: String
  var format: FrameFormat
  /// Frames of history of both.
  var depth: Int
  /// Frames until both run as they go on: until histories are full, and memory is used again.
  var fill: Int
  /// The effect, and the same frames without it.
  var theirs: Pair
  var ours: Pair

  /// A program with an effect, and without it.
  struct Pair {
    var effect: Program
    var source: Program
  }

  /// The program or module that must be installed.
  struct Requirement {
    /// The Debian packages that bring it.
    var packages: String
    /// The line that ends well where it is there.
    var program: String
    var arguments: [String] = []

    var isMet: Bool { Program.succeeds(program, arguments) }
  }

  /// All of them, in the order of the table.
  ///
  /// - Parameter depth: Frames of history, where there is a choice.
  static func all(size: FrameSize, depth: Int, plugin: PluginFile) -> [Peer] {
    ffmpeg(size: size, depth: depth, plugin: plugin)
      + gstreamer(size: size, depth: depth, plugin: plugin)
      + numPy(size: size, depth: depth, plugin: plugin)
  }
}
