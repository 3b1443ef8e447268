// Has the typed properties of Scan and of the effect's settings written from the table of properties.

import PackagePlugin

@main
struct ScanPropertiesPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let types = ["SlitScanCapture": "Scan", "SlitScan": "ScanSettings", "Reference": "Settings"]
    guard let type = types[target.name] else { return [] }
    let file = context.pluginWorkDirectoryURL.appending(path: "\(type)+Properties.swift")
    return [
      .buildCommand(
        displayName: "Writing \(file.lastPathComponent)",
        executable: try context.tool(named: "ScanPropertiesWriter").url,
        arguments: [type, file.path()], outputFiles: [file])
    ]
  }
}
