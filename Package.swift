// swift-tools-version: 6.2

// The Swift package: the modules, the command `slitscan` and their tests.

import PackageDescription

// Warnings become errors where Tests/run.sh builds, but not in packages of others.
let isStrict = Context.environment["SLITSCAN_STRICT"] != nil
let warningsAsErrors: [SwiftSetting] = isStrict ? [.treatAllWarnings(as: .error)] : []
let checkedC: [CSetting] =
  (isStrict ? [.treatAllWarnings(as: .error)] : [])
  + [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]

/// What every Swift target of this package is compiled with.
let checkedSwift: [SwiftSetting] =
  warningsAsErrors + [
    .strictMemorySafety(),
    // Spans stored in a noncopyable struct: `FrameSpan` in Sources/Effect/SlitScan/Frames.
    .enableExperimentalFeature("Lifetimes"),
    // Such spans as what a kind of memory takes for a frame: `ScanMemory` in Sources/Effect/SlitScan/Scanner.
    .enableExperimentalFeature("SuppressedAssociatedTypes"),
  ]

// The effect, and code of tests that computes frames sample by sample, is optimized in a debug build of
// Tests/run.sh, too. SwiftPM takes such flags in the root package only.
let optimizedSwift: [SwiftSetting] =
  isStrict ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []

// The command and what it is built on are left out where SLITSCAN_PLUGIN_ONLY is set, as by
// gst/make-plugin.sh, and nothing is fetched. They are written for Linux: V4L2, ALSA, JACK, X11.
#if os(Linux)
  let hasCommand = Context.environment["SLITSCAN_PLUGIN_ONLY"] == nil
#else
  let hasCommand = false
#endif

// What Tests/run.sh does not run under sanitizers is not built for them, where SLITSCAN_SANITIZED is set.
let isSanitized = Context.environment["SLITSCAN_SANITIZED"] != nil
let unsanitized: Set = [
  "CAbletonLink", "CommandLiveTests", "CommandTests", "ElementTests", "PluginHost", "RemoteProgram",
  "SlitScanCommand",
]

// A source release carries the packages of others, so that it builds offline: meson-shim/dist.sh puts
// them there and changes this line.
let isSourceRelease = false

// SwiftPM warns of every flag of pkg-config that it does not pass on, such as -pthread, and of every library that is
// not installed, in each package that depends on this one, whether it uses the library or not. The package's own
// files name the headers in the system's directories, and no such flags. Where PKG_CONFIG_PATH is set, libraries
// are elsewhere, and their own files say where. Libraries whose headers compilers find anyway have no such file.
func pkgConfig(_ system: String, _ own: String) -> String {
  Context.environment["PKG_CONFIG_PATH"] == nil ? "\(Context.packageDirectory)/\(own)" : system
}

// Exact versions, so that a build can be repeated.
let fetchedPackages: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
]
let carriedPackages: [Package.Dependency] = ["swift-argument-parser"].map {
  .package(path: "meson-shim/packages/\($0)")
}

let externalDependencies =
  !hasCommand || isSanitized ? [] : isSourceRelease ? carriedPackages : fetchedPackages

let commandProducts: [Product] =
  hasCommand
  ? [
    .library(name: "SlitScanCapture", targets: ["SlitScanCapture"]),
    .library(name: "SlitScanStage", targets: ["SlitScanStage"]),
    .library(name: "SlitScanRemote", targets: ["SlitScanRemote"]),
    .library(name: "SlitScanRender", targets: ["SlitScanRender"]),
  ] + (isSanitized ? [] : [.executable(name: "slitscan", targets: ["SlitScanCommand"])]) : []

let commandTargets: [Target] =
  hasCommand
  ? [
    .executableTarget(
      name: "SlitScanCommand",
      dependencies: [
        "CAbletonLink", "CAubio", "CGLTimer", "CLinux", "CSlitScanSettings", "GStreamer",
        "GstSlitScan", "LibC", "SlitScanCapture", "SlitScanPlugin", "SlitScanRemote",
        "SlitScanRender",
        "SlitScanStage", "SlitScanWindow", "StreamingThread",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Command"])),
      ],
      path: "Sources/Command", exclude: ["Live.md", "README.md", "Render.md"],
      swiftSettings: checkedSwift
    ),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "AwaitedProgram", "CommandUnderTest", "GStreamer", "SlitScanCapture", "SlitScanCommand",
        "SlitScanRender", "TestFilm",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Command"])),
      ],
      path: "Tests/Check/CommandTests",
      swiftSettings: warningsAsErrors
    ),
    // The command as it is typed. Runs only from Tests/run.sh, which prepares the plugin and a camera.
    .testTarget(
      name: "CommandLiveTests", dependencies: ["CommandUnderTest", "PluginHost", "TestFilm"],
      path: "Tests/Live/CommandLiveTests",
      swiftSettings: warningsAsErrors
    ),
    // What the GPU takes for a frame. It loads GStreamer's OpenGL library, and does not link it.
    .target(
      name: "CGLTimer", dependencies: ["CGStreamer"], path: "Sources/GPU/CGLTimer",
      cSettings: checkedC),
    // A tempo that programs in a network share. Only the command has it: Link is under the GPL.
    .target(
      name: "CAbletonLink", path: "Sources/Libraries/CAbletonLink", cSettings: checkedC,
      cxxSettings: [.define("LINK_PLATFORM_LINUX", to: "1")]),
    // The beats of music. Only the command has it: aubio is under the GPL.
    .systemLibrary(
      name: "CAubio", path: "Sources/Libraries/CAubio", providers: [.apt(["libaubio-dev"])]),
    // Frames from cameras and files, through the effect, onto screens and into files.
    .target(
      name: "SlitScanCapture",
      dependencies: [
        "CEffectBin", "GStreamer", "GstSlitScan", "LibC", "SlitScanPlugin", "StreamingThread",
      ],
      path: "Sources/Capture/SlitScanCapture", swiftSettings: checkedSwift,
      plugins: ["ScanPropertiesPlugin"]
    ),
    // A bin that goes on with the effect on the processor when that on the GPU fails.
    .target(
      name: "CEffectBin", dependencies: ["CGStreamer"], path: "Sources/Capture/CEffectBin",
      cSettings: checkedC),
    // What plays the effect live: moves from keys, OSC, MIDI and phones, and what comes of them.
    .target(
      name: "SlitScanStage",
      dependencies: [
        "CJack", "CLinux", "CRtMidi", "GstSlitScan", "GStreamer", "LibC", "SlitScanCapture",
        "SlitScanPlugin", "SlitScanWindow", "StreamingThread",
      ],
      path: "Sources/Stage", exclude: ["README.md"], swiftSettings: checkedSwift,
      linkerSettings: [.linkedLibrary("jack")]
    ),
    .systemLibrary(
      name: "CSDL", path: "Sources/Libraries/CSDL", providers: [.apt(["libsdl2-dev"])]),
    // Windows on displays, for previews.
    .target(
      name: "SlitScanWindow",
      dependencies: ["CSDL", "GStreamer", "LibC", "SlitScanCapture", "StreamingThread"],
      path: "Sources/Capture/SlitScanWindow", swiftSettings: checkedSwift
    ),
    // MIDI by ALSA and JACK.
    .systemLibrary(
      name: "CRtMidi", path: "Sources/Libraries/CRtMidi", providers: [.apt(["librtmidi-dev"])]),
    .systemLibrary(
      name: "CJack", path: "Sources/Libraries/CJack", providers: [.apt(["libjack-jackd2-dev"])]),
    .testTarget(
      name: "SlitScanStageTests",
      dependencies: [
        "AwaitedProgram", "GStreamer", "LibC", "SeededGenerator", "SlitScanStage", "SlitScanWindow",
        "StreamingThread", "TestClock",
      ],
      path: "Tests/Check/SlitScanStageTests",
      swiftSettings: warningsAsErrors
    ),
    .testTarget(
      name: "SlitScanStageLiveTests",
      dependencies: [
        "AwaitedProgram", "GStreamer", "LibC", "SeededGenerator", "SlitScanStage", "SlitScanWindow",
        "StreamingThread",
      ],
      path: "Tests/Live/SlitScanStageLiveTests",
      swiftSettings: warningsAsErrors
    ),
    .systemLibrary(
      name: "CSoup", path: "Sources/Libraries/CSoup",
      pkgConfig: pkgConfig("libsoup-3.0", "Sources/Libraries/CSoup/soup.pc"),
      providers: [.apt(["libsoup-3.0-dev"])]),
    // What libsoup does not limit: connections, and what comes by WebSockets.
    .target(
      name: "CWebServer", dependencies: ["CSoup"], path: "Sources/Inputs/CWebServer",
      cSettings: checkedC),
    // A page for phones that plays along.
    .target(
      name: "SlitScanRemote",
      dependencies: [
        "CSoup", "CWebServer", "GStreamer", "LibC", "SlitScanCapture", "SlitScanStage",
        "StreamingThread",
      ],
      path: "Sources/Inputs/SlitScanRemote",
      resources: [
        .embedInCode("Page/page.html"), .embedInCode("Page/page.css"),
        .embedInCode("Page/page.js"), .embedInCode("Page/crossfader.js"),
        .embedInCode("Page/drawing.js"),
      ],
      swiftSettings: checkedSwift
    ),
    .testTarget(
      name: "SlitScanRemoteTests",
      dependencies: [
        "CSoup", "GStreamer", "SeededGenerator", "SlitScanCapture", "SlitScanRemote",
        "SlitScanStage", "StreamingThread",
      ],
      path: "Tests/Check/SlitScanRemoteTests",
      swiftSettings: warningsAsErrors
    ),
    // A film on a stage, with a remote, for a browser to play.
    .executableTarget(
      name: "RemoteProgram",
      dependencies: ["GStreamer", "SlitScanCapture", "SlitScanRemote", "SlitScanStage"],
      path: "Tests/Live/RemoteProgram", exclude: ["try-page.py", "try-page.sh"],
      swiftSettings: checkedSwift
    ),
    .systemLibrary(
      name: "CCairo", path: "Sources/Libraries/CCairo", providers: [.apt(["libcairo2-dev"])]),
    // Pictures that are written row by row.
    .target(
      name: "CPNGWriter", path: "Sources/Render/CPNGWriter", cSettings: checkedC,
      linkerSettings: [.linkedLibrary("png")]),
    // Renders files through the effect, as fast as the machine can.
    .target(
      name: "SlitScanRender",
      dependencies: [
        "CCairo", "CPNGWriter", "CSlitScanSettings", "GStreamer", "LibC", "SlitScanCapture",
        "StreamingThread",
      ],
      path: "Sources/Render/SlitScanRender", swiftSettings: checkedSwift,
      linkerSettings: [.linkedLibrary("cairo")]
    ),
    .testTarget(
      name: "SlitScanRenderTests",
      dependencies: [
        "AwaitedProgram", "Footage", "GStreamer", "OrientedVideo", "SlitScanCapture",
        "SlitScanRender", "TestFilm",
      ],
      path: "Tests/Check/SlitScanRenderTests",
      swiftSettings: warningsAsErrors
    ),
    .testTarget(
      name: "SlitScanRenderLiveTests",
      dependencies: ["GStreamer", "SlitScanCapture", "SlitScanRender", "TestFilm"],
      path: "Tests/Live/SlitScanRenderLiveTests",
      swiftSettings: warningsAsErrors
    ),
    // Films to render, and rendered ones, decoded.
    .target(
      name: "TestFilm", dependencies: ["GStreamer", "SlitScanRender"],
      path: "Tests/Support/TestFilm", swiftSettings: warningsAsErrors),
    // A process of its own, for what must be there when a process starts.
    .executableTarget(
      name: "CaptureProgram", dependencies: ["GStreamer", "SlitScanCapture"],
      path: "Tests/Support/CaptureProgram", swiftSettings: checkedSwift
    ),
    // What recordings are made of, and what ffmpeg finds in them.
    .target(
      name: "Footage",
      dependencies: [
        "AwaitedProgram", "ElementUnderTest", "GStreamer", "LibC", "SeededGenerator",
        "SlitScanCapture",
      ],
      path: "Tests/Support/Footage", swiftSettings: warningsAsErrors),
    .testTarget(
      name: "SlitScanCaptureTests",
      dependencies: [
        "AwaitedProgram", "CGStreamer", "Footage", "GStreamer", "LeakChecker", "OneThreadPool",
        "OrientedVideo", "SeededGenerator", "SlitScanCapture", "TestClock",
      ],
      path: "Tests/Check/SlitScanCaptureTests",
      swiftSettings: warningsAsErrors
    ),
    .testTarget(
      name: "SlitScanCaptureLiveTests",
      dependencies: [
        "AwaitedProgram", "CaptureProgram", "Footage", "GStreamer", "SlitScanCapture",
      ],
      path: "Tests/Live/SlitScanCaptureLiveTests",
      swiftSettings: warningsAsErrors
    ),
  ] : []

// The element on the GPU, where SLITSCAN_GL is not 0. It is built with the command, and with the plugin
// alone if SLITSCAN_GL is set; not for sanitizers, which do not see into graphics drivers.
let hasGL = Context.environment["SLITSCAN_GL"].map { $0 != "0" } ?? (hasCommand && !isSanitized)

let glProducts: [Product] =
  hasGL ? [.library(name: "gstslitscangl", type: .dynamic, targets: ["GstGLSlitScan"])] : []

let glTargets: [Target] =
  hasGL
  ? [
    .systemLibrary(
      name: "CGStreamerGL",
      path: "Sources/Libraries/CGStreamerGL",
      pkgConfig: pkgConfig("gstreamer-gl-1.0", "Sources/Libraries/CGStreamerGL/gstreamer-gl.pc"),
      providers: [.apt(["libgstreamer-plugins-base1.0-dev"])]
    ),
    // The functions of OpenGL.
    .target(
      name: "COpenGL", dependencies: ["CGStreamerGL"], path: "Sources/GPU/COpenGL",
      cSettings: checkedC),
    // The effect on the GPU.
    .target(
      name: "SlitScanGL",
      dependencies: [
        "CGStreamerGL", "COpenGL", "CSlitScanEngine", "CSlitScanKernels",
        "CSlitScanSettings", "SlitScan", "SlitScanElement", "StreamingThread",
      ],
      path: "Sources/GPU/SlitScanGL",
      resources: [
        "blend", "cover", "curve", "delays", "differs", "displace", "history", "image", "level",
        "line", "luma", "motion", "older", "samples", "slit", "smooth", "strip", "sweep", "trace",
        "warp",
      ].map { .embedInCode("Shaders/\($0).glsl") },
      swiftSettings: checkedSwift + optimizedSwift
    ),
    // A plugin of its own: the element `slitscan` is found when it is loaded.
    .target(
      name: "GstGLSlitScan",
      dependencies: [
        "CGStreamerGL", "CSlitScanEngine", "CSlitScanSettings", "SlitScanGL",
      ],
      path: "gst/slitscangl",
      publicHeadersPath: "include",
      cSettings: checkedC + [
        .headerSearchPath("../slitscan"), .headerSearchPath("../slitscan/include"),
      ]
    ),
    .testTarget(
      name: "SlitScanGLTests",
      dependencies: [
        "CGStreamerGL", "COpenGL", "CSlitScanSettings", "SeededGenerator",
        "SlitScan", "SlitScanGL",
      ],
      path: "Tests/Check/SlitScanGLTests",
      swiftSettings: optimizedSwift + warningsAsErrors + [.enableExperimentalFeature("Lifetimes")]
    ),
  ] : []

// Tests/Live/fuzz.sh sets SLITSCAN_FUZZ: these are built with what other programs are not.
let fuzzTargets: [Target] =
  Context.environment["SLITSCAN_FUZZ"] != nil
  ? [
    .target(
      name: "FuzzTargets",
      dependencies: [
        "GStreamer", "SlitScanCapture", "SlitScanPlugin", "SlitScanRemote", "SlitScanStage",
      ],
      path: "Tests/Live/FuzzTargets", swiftSettings: warningsAsErrors),
    .executableTarget(
      name: "FuzzProgram",
      dependencies: ["CGStreamer", "CSlitScanEngine", "FuzzTargets", "GstSlitScan"],
      path: "Tests/Live/FuzzProgram", cSettings: checkedC,
      // It has libFuzzer's main().
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
  ] : []

let package = Package(
  name: "slitscan",
  platforms: [.macOS(.v26)],
  products: [
    // The GStreamer plugin. It loads from the build folder; gst/make-plugin.sh makes the one to ship.
    .library(name: "gstslitscan", type: .dynamic, targets: ["GstSlitScan"]),
    .library(name: "SlitScan", targets: ["SlitScan"]),
    .library(name: "GStreamer", targets: ["GStreamer"]),
  ] + glProducts + commandProducts,
  // An app whose dependency line says `traits: []` fetches no packages of others.
  traits: [
    .trait(name: "Command", description: "The command `slitscan`, which needs packages of others."),
    .default(enabledTraits: ["Command"]),
  ],
  dependencies: externalDependencies,
  targets: ([
    .systemLibrary(
      name: "CGStreamer",
      path: "Sources/Libraries/CGStreamer",
      pkgConfig: pkgConfig("gstreamer-video-1.0", "Sources/Libraries/CGStreamer/gstreamer.pc"),
      providers: [
        .apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"]), .brew(["gstreamer"]),
      ]
    ),
    .systemLibrary(name: "CGStreamerApp", path: "Sources/Libraries/CGStreamerApp"),
    .systemLibrary(name: "CGStreamerController", path: "Sources/Libraries/CGStreamerController"),
    .target(name: "LibC", path: "Sources/Libraries/LibC", swiftSettings: checkedSwift),
    .target(
      name: "StreamingThread", dependencies: ["LibC"],
      path: "Sources/Effect/StreamingThread", swiftSettings: checkedSwift + optimizedSwift),
    // GStreamer for Swift: pipelines that are awaited, samples as asynchronous sequences.
    .target(
      name: "GStreamer",
      dependencies: [
        "CGStreamer", "CGStreamerApp", "CGStreamerController", "LibC", "StreamingThread",
      ],
      exclude: ["README.md"], swiftSettings: checkedSwift
    ),
    .target(name: "CLinux", path: "Sources/Libraries/CLinux", cSettings: checkedC),
    // Threads that share the work of a frame.
    .target(name: "CWorkerPool", path: "Sources/Effect/CWorkerPool", cSettings: checkedC),
    // The inner loops.
    .target(
      name: "CSlitScanKernels", dependencies: ["CWorkerPool"],
      path: "Sources/Effect/CSlitScanKernels", cSettings: checkedC),
    .target(
      name: "SlitScan",
      dependencies: [
        "CLinux", "CSlitScanKernels", "CSlitScanSettings", "CWorkerPool", "LibC",
        "StreamingThread",
      ],
      path: "Sources/Effect/SlitScan", swiftSettings: checkedSwift + optimizedSwift,
      plugins: ["ScanPropertiesPlugin"]
    ),
    // The table of properties, and the settings that it makes.
    .target(
      name: "CSlitScanSettings", path: "Sources/Effect/CSlitScanSettings", cSettings: checkedC,
      linkerSettings: [.linkedLibrary("m")]),
    // The typed properties of `ScanSettings` and `Scan`, written from the table of properties at every build.
    .executableTarget(
      name: "ScanPropertiesWriter", dependencies: ["CSlitScanSettings"],
      path: "Sources/Effect/ScanPropertiesWriter", cSettings: checkedC),
    .plugin(
      name: "ScanPropertiesPlugin", capability: .buildTool(),
      dependencies: ["ScanPropertiesWriter"], path: "Sources/Effect/ScanPropertiesPlugin"),
    .target(
      name: "CSlitScanEngine", dependencies: ["CSlitScanSettings"],
      path: "Sources/Element/CSlitScanEngine", cSettings: checkedC),
    .target(
      name: "SlitScanElement",
      dependencies: ["CSlitScanEngine", "CSlitScanSettings", "SlitScan"],
      path: "Sources/Element/SlitScanElement", swiftSettings: checkedSwift + optimizedSwift
    ),
    .target(
      name: "GstSlitScan",
      dependencies: ["CGStreamer", "CSlitScanEngine", "CSlitScanSettings", "SlitScanElement"],
      path: "gst/slitscan",
      publicHeadersPath: "include",
      cSettings: checkedC
    ),
    // The element in programs that link it.
    .target(
      name: "SlitScanPlugin", dependencies: ["CGStreamer", "GstSlitScan"],
      path: "Sources/Element/SlitScanPlugin", swiftSettings: checkedSwift
    ),
    .testTarget(
      name: "StreamingThreadTests", dependencies: ["StreamingThread"],
      path: "Tests/Check/StreamingThreadTests",
      swiftSettings: warningsAsErrors),
    .testTarget(
      name: "SlitScanTests",
      dependencies: [
        "CLinux", "CSlitScanKernels", "CWorkerPool", "SeededGenerator", "SlitScan",
      ],
      path: "Tests/Check/SlitScanTests",
      swiftSettings: optimizedSwift + warningsAsErrors + [.enableExperimentalFeature("Lifetimes")]
    ),
    .systemLibrary(
      name: "CGStreamerCheck",
      path: "Tests/Support/CGStreamerCheck",
      pkgConfig: "gstreamer-check-1.0",
      providers: [.apt(["libgstreamer1.0-dev"])]
    ),
    // The definitions, as the simplest code that can be right. Shares nothing with the effect but the table
    // of properties.
    .target(
      name: "Reference", dependencies: ["CSlitScanSettings"], path: "Tests/Support/Reference",
      swiftSettings: checkedSwift + optimizedSwift, plugins: ["ScanPropertiesPlugin"]),
    // Random numbers that every test can repeat.
    .target(
      name: "SeededGenerator", path: "Tests/Support/SeededGenerator",
      swiftSettings: checkedSwift + optimizedSwift),
    // The element that is linked into the tests, or that of a plugin.
    .target(
      name: "ElementUnderTest",
      dependencies: ["CGStreamer", "GstSlitScan", "SlitScanPlugin", "TestClock"]
        + (hasGL ? ["CGStreamerGL", "GstGLSlitScan"] : []),
      path: "Tests/Support/ElementUnderTest",
      swiftSettings: checkedSwift + (hasGL ? [.define("SLITSCAN_GL")] : [])),
    .testTarget(
      name: "ElementTests",
      dependencies: [
        "CGStreamer", "CGStreamerCheck", "ElementUnderTest", "Reference", "SeededGenerator",
      ],
      path: "Tests/Check/ElementTests",
      swiftSettings: checkedSwift + optimizedSwift
    ),
    .testTarget(
      name: "PipelineTests",
      dependencies: [
        "CGStreamer", "CGStreamerCheck", "CGStreamerController", "ElementUnderTest", "GLibLocks",
        "GStreamer", "LibC", "StreamingThread", "TestClock",
      ],
      path: "Tests/Check/PipelineTests",
      swiftSettings: checkedSwift
    ),
    // What ThreadSanitizer does not see by itself: GLib's locks, queues and references.
    .target(
      name: "GLibLocks", dependencies: ["CGStreamer"], path: "Tests/Support/GLibLocks",
      cSettings: checkedC),
    // Programs that tests start.
    .target(
      name: "AwaitedProgram", dependencies: ["CGStreamer"], path: "Tests/Support/AwaitedProgram",
      swiftSettings: checkedSwift),
    // Films that are shown turned, as those of phones.
    .target(
      name: "OrientedVideo", dependencies: ["GStreamer"], path: "Tests/Support/OrientedVideo",
      swiftSettings: checkedSwift),
    // Ignores SIGPIPE in test processes.
    .target(name: "IgnoredSIGPIPE", path: "Tests/Support/IgnoredSIGPIPE", cSettings: checkedC),
    // Limits Swift's cooperative pool to one thread, so that a blocked thread fails a test.
    .target(name: "OneThreadPool", path: "Tests/Support/OneThreadPool", cSettings: checkedC),
    // A clock of pipelines that a test drives.
    .target(
      name: "TestClock",
      dependencies: ["CGStreamer", "CGStreamerCheck", "GStreamer", "StreamingThread"],
      path: "Tests/Support/TestClock", swiftSettings: checkedSwift),
    // The leak checker for GStreamer objects.
    .target(
      name: "LeakChecker", dependencies: ["CGStreamer", "GStreamer"],
      path: "Tests/Support/LeakChecker",
      swiftSettings: checkedSwift
    ),
    .testTarget(
      name: "GStreamerTests",
      dependencies: [
        "CGStreamer", "CGStreamerApp", "GLibLocks", "GStreamer", "IgnoredSIGPIPE",
        "LeakChecker", "LibC", "OneThreadPool", "SeededGenerator", "StreamingThread", "TestClock",
      ],
      path: "Tests/Check/GStreamerTests",
      swiftSettings: warningsAsErrors + [.enableExperimentalFeature("Lifetimes")]
    ),
    // A process of its own, for a plugin that has another copy of Swift's runtime than the process.
    .executableTarget(
      name: "PluginHost", dependencies: ["GStreamer", "SlitScan"],
      path: "Tests/Support/PluginHost", swiftSettings: warningsAsErrors
    ),
    // Processes of their own, for what would take the tests with it.
    .executableTarget(
      name: "ElementProgram",
      dependencies: ["CGStreamer", "CGStreamerCheck", "GLibLocks", "GstSlitScan"],
      path: "Tests/Live/ElementProgram", exclude: ["leaks.sh"], cSettings: checkedC
    ),
    // The command, as a person types it, and the pages that say what to type.
    .target(
      name: "CommandUnderTest", dependencies: ["AwaitedProgram"],
      path: "Tests/Support/CommandUnderTest", swiftSettings: warningsAsErrors),
  ] + glTargets + commandTargets + fuzzTargets).filter {
    !(isSanitized && unsanitized.contains($0.name))
  },
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
