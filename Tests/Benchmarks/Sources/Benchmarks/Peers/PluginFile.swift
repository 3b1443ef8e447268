// The built plugin, in GStreamer, for comparison with the peers.

import Foundation

/// The plugin that is compared.
struct PluginFile {
  private let folder: String

  /// The plugin in a folder.
  ///
  /// - Throws: ``BenchmarkError`` when it is not there.
  init(folder: String) throws {
    let plugin = URL(filePath: folder).appending(path: "libgstslitscan.so")
    guard FileManager.default.fileExists(atPath: plugin.path) else {
      throw BenchmarkError(
        "There is no \(plugin.path) to compare. Build it with gst/make-plugin.sh.")
    }
    self.init(checked: plugin.deletingLastPathComponent().path)
  }

  init(checked folder: String) { self.folder = folder }

  /// The frames scanned, and the frames alone.
  ///
  /// - Parameter properties: Of the element, as on a command line.
  func pair(_ properties: String, size: FrameSize, format: FrameFormat) -> Peer.Pair {
    var pair = Peer.pipelines("slitscan threads=1 \(properties)", size: size, format: format)
    pair.effect.environment["GST_PLUGIN_PATH"] = path
    return pair
  }

  /// The folder, before others that are searched already.
  private var path: String {
    let others = ProcessInfo.processInfo.environment["GST_PLUGIN_PATH"]
    return [folder, others].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ":")
  }
}
