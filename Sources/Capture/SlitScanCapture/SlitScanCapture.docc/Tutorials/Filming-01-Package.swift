// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "film",
  dependencies: [.package(path: "../slitscan", traits: [])],
  targets: [
    .executableTarget(
      name: "Film",
      dependencies: [
        .product(name: "GStreamer", package: "slitscan"),
        .product(name: "SlitScanCapture", package: "slitscan"),
      ])
  ]
)
