// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "booth",
  dependencies: [.package(path: "../slitscan", traits: [])],
  targets: [
    .executableTarget(
      name: "Booth",
      dependencies: [
        .product(name: "GStreamer", package: "slitscan"),
        .product(name: "SlitScanCapture", package: "slitscan"),
      ])
  ]
)
