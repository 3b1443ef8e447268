// Has the typed properties of Scan written from the table of properties, when SlitScanCapture is built.

import PackagePlugin

@main
struct ScanPropertiesPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let file = context.pluginWorkDirectoryURL.appending(path: "Scan+Properties.swift")
    return [
      .buildCommand(
        displayName: "Writing Scan+Properties.swift",
        executable: try context.tool(named: "ScanPropertiesWriter").url,
        arguments: [file.path()], outputFiles: [file])
    ]
  }
}
