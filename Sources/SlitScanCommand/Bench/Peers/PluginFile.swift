// Slitscan itself, in GStreamer, as the peers' opponent.

import Foundation

/// The plugin that was built with this command.
struct PluginFile {
  /// The folder of the command and of the plugin.
  let folder: URL

  /// The plugin beside the running command.
  ///
  /// - Throws: ``CommandError`` when it is not there.
  static func besideCommand() throws -> PluginFile {
    let command = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    let folder = command.deletingLastPathComponent()
    let plugin = folder.appending(path: "libgstslitscan.so")
    guard FileManager.default.fileExists(atPath: plugin.path) else {
      throw CommandError(
        "There is no \(plugin.path), which is to be compared. Build it: swift build -c release")
    }
    return PluginFile(folder: folder)
  }

  /// The frames scanned, and the frames alone.
  ///
  /// - Parameter properties: Of the element, as on a command line.
  func pair(_ properties: String, size: PictureSize, format: FrameFormat) -> Peer.Pair {
    var pair = Peer.pipelines("slitscan threads=1 \(properties)", size: size, format: format)
    pair.effect.environment["GST_PLUGIN_PATH"] = path
    return pair
  }

  /// The folder, before others that are searched already.
  private var path: String {
    let others = ProcessInfo.processInfo.environment["GST_PLUGIN_PATH"]
    return [folder.path, others].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ":")
  }
}
