// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "embed",
  dependencies: [.package(path: "../slitscan", traits: [])],
  targets: [
    .executableTarget(
      name: "Embed",
      dependencies: [.product(name: "SlitScan", package: "slitscan")])
  ]
)
