// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-embed",
  dependencies: [.package(name: "slitscan", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Embed", dependencies: [.product(name: "SlitScanCapture", package: "slitscan")]),
    .testTarget(name: "EmbedTests", dependencies: ["Embed"]),
  ]
)
