// The configuration file holds the user's default options.

import CGStreamer
import FoundationEssentials
import GStreamer
import SlitScanStage

/// Options of commands, from a file in the form of GLib's key files.
///
/// ```
/// [live]
/// output=window;fullscreen:2
/// osc=9000
/// remote=true
/// set=depth=90;history=whole
/// ```
struct ConfigFile: Equatable {
  /// A command's options, by their names without dashes.
  private(set) var groups: [String: [String: [String]]] = [:]

  /// Its path: `SLITSCAN_CONFIG`, or `slitscan/config` in the folder for such files; nil for none.
  static func path(_ environment: [String: String]) -> String? {
    if let path = environment["SLITSCAN_CONFIG"] { return path.isEmpty ? nil : path }
    return settingsFolder(environment) + "/config"
  }

  /// The file at a path; nothing where there is none and none is named.
  ///
  /// - Throws: ``CommandError`` where it cannot be read.
  init(path: String, isNamed: Bool) throws(CommandError) {
    guard isNamed || FileManager.default.fileExists(atPath: path) else {
      try self.init("")
      return
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandError("The file cannot be read.")
    }
    guard let text = String(textFile: data) else {
      throw CommandError("The file is not UTF-8. Convert it.")
    }
    try self.init(text)
  }

  /// The settings in a text.
  init(_ text: String) throws(CommandError) {
    let file = unsafe g_key_file_new()
    defer { unsafe g_key_file_unref(file) }
    var error: UnsafeMutablePointer<GError>?
    let isRead = unsafe g_key_file_load_from_data(
      file, text, gsize(text.utf8.count), G_KEY_FILE_NONE, &error)
    guard isRead != 0 else {
      let message = unsafe error.flatMap { unsafe String(validatingCString: $0.pointee.message) }
      unsafe g_clear_error(&error)
      throw CommandError("\(message ?? "The line is invalid").")
    }
    for group in unsafe Self.strings({ unsafe g_key_file_get_groups(file, $0) }) {
      var options: [String: [String]] = [:]
      for key in unsafe Self.strings({ unsafe g_key_file_get_keys(file, group, $0, nil) }) {
        options[key] = unsafe Self.strings {
          unsafe g_key_file_get_string_list(file, group, key, $0, nil)
        }
      }
      groups[group] = options
    }
  }

  private static func strings(
    _ get: (UnsafeMutablePointer<gsize>) -> UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
  ) -> [String] {
    var count: gsize = 0
    guard let list = unsafe get(&count) else { return [] }
    defer { unsafe g_strfreev(list) }
    return (0..<Int(count)).compactMap { index in
      unsafe list[index].map { unsafe String(cString: $0) }
    }
  }

  /// Checks that each section is that of a command.
  func requireSections(of commands: [String]) throws(CommandError) {
    guard let unknown = groups.keys.filter({ !commands.contains($0) }).min() else { return }
    throw CommandError(
      "There is no command for the section [\(unknown)]."
        + "\(Spelling(unknown, in: commands).question) There are: \(commands.joined(separator: ", "))."
    )
  }

  /// The arguments that were typed, with those of the file for their command.
  ///
  /// An option that is typed replaces that of the file; of those that set properties, both count, and
  /// what is typed comes last.
  func arguments(_ typed: [String]) -> [String] {
    guard let command = typed.first, let options = groups[command] else { return typed }
    let names = Set(typed.map { String($0.prefix { $0 != "=" }) })
    var added: [String] = []
    for (key, values) in options.sorted(by: { $0.key < $1.key }) {
      let name = "--\(key)"
      guard key == "set" || !names.contains(name) else { continue }
      for value in values {
        switch value {
        case "true": added.append(name)
        case "false": break
        default: added.append("\(name)=\(value)")
        }
      }
    }
    return [command] + added + typed.dropFirst()
  }
}
