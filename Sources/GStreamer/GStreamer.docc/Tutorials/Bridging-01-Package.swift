// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "bridge",
  dependencies: [.package(path: "../slitscan", traits: [])],
  targets: [
    .executableTarget(
      name: "Bridge",
      dependencies: [.product(name: "GStreamer", package: "slitscan")])
  ]
)
