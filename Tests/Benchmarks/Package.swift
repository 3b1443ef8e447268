// swift-tools-version: 6.2
import PackageDescription

let checkedSwift: [SwiftSetting] = [
  .strictMemorySafety(), .treatAllWarnings(as: .error), .enableExperimentalFeature("Lifetimes"),
]
let checkedC: [CSetting] = [.treatAllWarnings(as: .error)]

// The measured code is optimized in a debug build, too: it allocates nothing beside the effect.
let optimizedSwift: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(name: "slitscan", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    // A malloc that counts.
    .target(name: "CAllocationCounter", cSettings: checkedC),
    // The C peer of the overlay's bridge.
    .target(
      name: "CBridgePeer", dependencies: [.product(name: "GStreamer", package: "slitscan")],
      cSettings: checkedC),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CAllocationCounter", "CBridgePeer",
        .product(name: "GStreamer", package: "slitscan"),
        .product(name: "SlitScan", package: "slitscan"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: [.embedInCode("cost.gnuplot")],
      swiftSettings: checkedSwift + optimizedSwift),
    .testTarget(
      name: "BenchmarksTests", dependencies: ["Benchmarks"],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
