// The settings folder holds the configuration and the learned MIDI mappings of a user.

import FoundationEssentials

/// The folder of the user's settings: `$XDG_CONFIG_HOME/slitscan`, else `$HOME/.config/slitscan`, else the one in
/// the home that the password file names.
package func settingsFolder(
  _ environment: [String: String] = ProcessInfo.processInfo.environment
) -> String {
  // Paths that are not absolute are none, says the XDG Base Directory Specification.
  func folder(_ name: String) -> String? {
    environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
  let home = folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser.path
  return (folder("XDG_CONFIG_HOME") ?? "\(home)/.config") + "/slitscan"
}
