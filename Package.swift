// swift-tools-version: 6.2

// The Swift package: the modules, the command `slitscan` and their tests.

import PackageDescription

// Warnings become errors where Tests/run.sh builds, but not in packages of others.
let isStrict = Context.environment["SLITSCAN_STRICT"] != nil
let warningsAsErrors: [SwiftSetting] = isStrict ? [.treatAllWarnings(as: .error)] : []
let checkedC: [CSetting] =
  (isStrict ? [.treatAllWarnings(as: .error)] : [])
  + [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]

/// The settings of every Swift target of this package.
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

// SLITSCAN_SANITIZED leaves out the targets that Tests/run.sh does not run under sanitizers.
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
let externalDependencies: [Package.Dependency] =
  !hasCommand || isSanitized
  ? []
  : [
    isSourceRelease
      ? .package(path: "meson-shim/packages/swift-argument-parser")
      : .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ]

let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser",
  condition: .when(traits: ["Command"]))

// Targets whose names are those of their folders.
extension Target {
  private static func name(_ path: String) -> String {
    path.split(separator: "/").suffix(1).joined()
  }

  /// A library of the system, and the Debian packages that have it.
  static func library(_ name: String, pkgConfig: String? = nil, packages: [String] = []) -> Target {
    .systemLibrary(
      name: name, path: "Sources/Libraries/\(name)", pkgConfig: pkgConfig,
      providers: packages.isEmpty ? nil : [.apt(packages)])
  }

  static func cModule(
    _ path: String, _ dependencies: [Dependency] = [], linkerSettings: [LinkerSetting]? = nil
  ) -> Target {
    .target(
      name: name(path), dependencies: dependencies, path: path, cSettings: checkedC,
      linkerSettings: linkerSettings)
  }

  static func swiftModule(
    _ path: String, _ dependencies: [Dependency] = [], settings: [SwiftSetting] = checkedSwift,
    linkerSettings: [LinkerSetting]? = nil, plugins: [PluginUsage]? = nil
  ) -> Target {
    .target(
      name: name(path), dependencies: dependencies, path: path, swiftSettings: settings,
      linkerSettings: linkerSettings, plugins: plugins)
  }

  static func tests(
    _ path: String, _ dependencies: [Dependency], settings: [SwiftSetting] = warningsAsErrors
  ) -> Target {
    .testTarget(
      name: name(path), dependencies: dependencies, path: path, swiftSettings: settings)
  }
}

// RtMidi within the command, with the system's MIDI that it is made of: meson-shim/swift-build.py.
let rtmidi: [LinkerSetting] =
  Context.environment["SLITSCAN_RTMIDI_ARCHIVE"] == nil
  ? [.linkedLibrary("rtmidi")] : [.linkedLibrary(":librtmidi.a"), .linkedLibrary("asound")]

let commandProducts: [Product] =
  hasCommand
  ? [
    "SlitScanCapture", "SlitScanStage", "SlitScanMIDI", "SlitScanOSC", "SlitScanRemote",
    "SlitScanTerminal", "SlitScanRender",
  ].map { .library(name: $0, targets: [$0]) }
    + (isSanitized ? [] : [.executable(name: "slitscan", targets: ["SlitScanCommand"])]) : []

let commandTargets: [Target] =
  hasCommand
  ? [
    .executableTarget(
      name: "SlitScanCommand",
      dependencies: [
        "CAbletonLink", "CAubio", "CGLTimer", "CLinux", "CSlitScanSettings", "GStreamer",
        "GstSlitScan", "LibC", "SlitScanCapture", "SlitScanMIDI", "SlitScanOSC",
        "SlitScanPlugin", "SlitScanRemote", "SlitScanRender", "SlitScanStage",
        "SlitScanTerminal", "SlitScanWindow", "StreamingThread", argumentParser,
      ],
      path: "Sources/Command", exclude: ["Live.md", "README.md", "Render.md"],
      swiftSettings: checkedSwift
    ),
    .tests(
      "Tests/Check/CommandTests",
      [
        "AwaitedProgram", "CommandUnderTest", "GStreamer", "SlitScanCapture", "SlitScanCommand",
        "SlitScanRender", "TemporaryFolder", "TestFilm", argumentParser,
      ]),
    // The command in a shell. Runs only from Tests/run.sh, which prepares the plugin and a camera.
    .tests(
      "Tests/Live/CommandLiveTests",
      ["CommandUnderTest", "PluginHost", "TemporaryFolder", "TestFilm"]),
    // Measures GPU time. It loads GStreamer's OpenGL library, and does not link it.
    .cModule("Sources/GPU/CGLTimer", ["CGStreamer"]),
    // Ableton Link: a tempo shared in a network. Only the command has it: Link is under the GPL.
    .target(
      name: "CAbletonLink", path: "Sources/Libraries/CAbletonLink", cSettings: checkedC,
      cxxSettings: [.define("LINK_PLATFORM_LINUX", to: "1")]),
    // Beat detection. Only the command has it: aubio is under the GPL.
    .library("CAubio", packages: ["libaubio-dev"]),
    // Captures from cameras and files through the effect, to previews and recordings.
    .swiftModule(
      "Sources/Capture/SlitScanCapture",
      [
        "CEffectBin", "CLinux", "GStreamer", "GstSlitScan", "LibC", "SlitScanPlugin",
        "StreamingThread",
      ], plugins: ["ScanPropertiesPlugin"]),
    // A bin that falls back to the effect on the processor when the one on the GPU fails.
    .cModule("Sources/Capture/CEffectBin", ["CGStreamer"]),
    // Live shows: moves from all inputs, and the performance that they change.
    .target(
      name: "SlitScanStage",
      dependencies: [
        "CLinux", "GstSlitScan", "GStreamer", "LibC", "SlitScanCapture", "SlitScanPlugin",
        "SlitScanWindow", "StreamingThread",
      ],
      path: "Sources/Stage", exclude: ["README.md"], swiftSettings: checkedSwift
    ),
    .library("CSDL", packages: ["libsdl2-dev"]),
    // Preview windows on displays.
    .swiftModule(
      "Sources/Capture/SlitScanWindow",
      ["CSDL", "GStreamer", "LibC", "SlitScanCapture", "StreamingThread"]),
    .tests(
      "Tests/Check/SlitScanStageTests",
      [
        "AwaitedProgram", "GStreamer", "LibC", "SeededGenerator", "SlitScanRender", "SlitScanStage",
        "SlitScanWindow", "StageUnderTest", "TemporaryFolder", "TestClock", "TestFilm",
      ]),
    // Stages by clocks of tests, shows that are logged, and the folders of both.
    .swiftModule(
      "Tests/Support/StageUnderTest",
      [
        "GStreamer", "SlitScanCapture", "SlitScanStage", "TemporaryFolder", "TestClock",
      ]),
    .library("CRtMidi", packages: ["librtmidi-dev"]),
    .library("CJack", packages: ["libjack-jackd2-dev"]),
    // MIDI by ALSA, JACK and files of bytes.
    .swiftModule(
      "Sources/Inputs/SlitScanMIDI",
      ["CJack", "CRtMidi", "GStreamer", "LibC", "SlitScanStage", "StreamingThread"],
      linkerSettings: [.linkedLibrary("jack")] + rtmidi),
    .tests(
      "Tests/Check/SlitScanMIDITests",
      [
        "GStreamer", "LibC", "SeededGenerator", "SlitScanMIDI", "SlitScanStage", "StageUnderTest",
        "StreamingThread", "TemporaryFolder",
      ]),
    .tests("Tests/Live/SlitScanMIDILiveTests", ["GStreamer", "SlitScanMIDI", "SlitScanStage"]),
    // OSC by UDP, both ways.
    .swiftModule(
      "Sources/Inputs/SlitScanOSC", ["GStreamer", "LibC", "SlitScanStage", "StreamingThread"]),
    .tests(
      "Tests/Check/SlitScanOSCTests",
      [
        "GStreamer", "SeededGenerator", "SlitScanOSC", "SlitScanStage", "StageUnderTest",
      ]),
    .tests(
      "Tests/Live/SlitScanOSCLiveTests",
      ["AwaitedProgram", "GStreamer", "SlitScanOSC", "SlitScanStage"]),
    // A show, with the keys of a terminal and of windows, and the live screen.
    .swiftModule(
      "Sources/Inputs/SlitScanTerminal",
      ["GStreamer", "LibC", "SlitScanCapture", "SlitScanStage", "StreamingThread"]),
    .tests(
      "Tests/Check/SlitScanTerminalTests",
      [
        "GStreamer", "SlitScanCapture", "SlitScanStage", "SlitScanTerminal", "StageUnderTest",
        "TemporaryFolder", "TestClock",
      ]),
    .library(
      "CSoup", pkgConfig: pkgConfig("libsoup-3.0", "Sources/Libraries/CSoup/soup.pc"),
      packages: ["libsoup-3.0-dev"]),
    // Limits that libsoup lacks: on connections and WebSocket frames.
    .cModule("Sources/Inputs/CWebServer", ["CSoup"]),
    // Remote control by a web page for phones.
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
        .embedInCode("Page/drawing.js"), .embedInCode("Page/tiles.js"),
        .embedInCode("Page/midi.js"),
      ],
      swiftSettings: checkedSwift
    ),
    .tests(
      "Tests/Check/SlitScanRemoteTests",
      [
        "CSoup", "GStreamer", "SeededGenerator", "SlitScanCapture", "SlitScanRemote",
        "SlitScanStage", "StreamingThread", "TemporaryFolder",
      ]),
    // A show with a remote, for a browser test.
    .executableTarget(
      name: "RemoteProgram",
      dependencies: ["GStreamer", "SlitScanCapture", "SlitScanRemote", "SlitScanStage"],
      path: "Tests/Live/RemoteProgram", exclude: ["try-page.py", "try-page.sh"],
      swiftSettings: checkedSwift
    ),
    .library("CCairo", packages: ["libcairo2-dev"]),
    // PNG files, read with all bits that they have, and written row by row.
    .cModule("Sources/Render/CPNGFiles", linkerSettings: [.linkedLibrary("png")]),
    // Renders files through the effect, as fast as the machine can.
    .swiftModule(
      "Sources/Render/SlitScanRender",
      [
        "CCairo", "CPNGFiles", "CSlitScanSettings", "GStreamer", "LibC",
        "SlitScanCapture", "StreamingThread",
      ], linkerSettings: [.linkedLibrary("cairo")]),
    .tests(
      "Tests/Check/SlitScanRenderTests",
      [
        "AwaitedProgram", "Footage", "GStreamer", "OrientedVideo", "SlitScanCapture",
        "SlitScanRender", "TemporaryFolder", "TestFilm",
      ]),
    .tests(
      "Tests/Live/SlitScanRenderLiveTests",
      [
        "GStreamer", "SlitScanCapture", "SlitScanRender", "TemporaryFolder", "TestFilm",
      ]),
    // Small test films, and decoders of rendered ones.
    .swiftModule(
      "Tests/Support/TestFilm", ["GStreamer", "SlitScanRender"], settings: warningsAsErrors),
    // A separate process, for tests that set its environment.
    .executableTarget(
      name: "CaptureProgram", dependencies: ["GStreamer", "SlitScanCapture"],
      path: "Tests/Support/CaptureProgram", swiftSettings: checkedSwift
    ),
    // Test frames and sound for recordings, and checks of files by ffprobe and ffmpeg.
    .swiftModule(
      "Tests/Support/Footage",
      [
        "AwaitedProgram", "ElementUnderTest", "GStreamer", "LibC", "SeededGenerator",
        "SlitScanCapture",
      ], settings: warningsAsErrors),
    .tests(
      "Tests/Check/SlitScanCaptureTests",
      [
        "AwaitedProgram", "CGStreamer", "Footage", "GStreamer", "LeakChecker", "OneThreadPool",
        "OrientedVideo", "SeededGenerator", "SlitScanCapture", "TemporaryFolder", "TestClock",
      ]),
    .tests(
      "Tests/Live/SlitScanCaptureLiveTests",
      [
        "AwaitedProgram", "CaptureProgram", "Footage", "GStreamer", "SlitScanCapture",
        "TemporaryFolder",
      ]),
  ] : []

// The element on the GPU, where SLITSCAN_GL is not 0. It is built with the command, and with the plugin
// alone if SLITSCAN_GL is set; not for sanitizers, which do not see into graphics drivers.
let hasGL = Context.environment["SLITSCAN_GL"].map { $0 != "0" } ?? (hasCommand && !isSanitized)

let glProducts: [Product] =
  hasGL ? [.library(name: "gstslitscangl", type: .dynamic, targets: ["GstGLSlitScan"])] : []

let glTargets: [Target] =
  hasGL
  ? [
    .library(
      "CGStreamerGL",
      pkgConfig: pkgConfig("gstreamer-gl-1.0", "Sources/Libraries/CGStreamerGL/gstreamer-gl.pc"),
      packages: ["libgstreamer-plugins-base1.0-dev"]),
    // The functions of OpenGL.
    .cModule("Sources/GPU/COpenGL", ["CGStreamerGL"]),
    // The effect on the GPU.
    .target(
      name: "SlitScanGL",
      dependencies: [
        "CGStreamerGL", "COpenGL", "CSlitScanEngine", "CSlitScanKernels",
        "CSlitScanSettings", "SlitScan", "SlitScanElement", "StreamingThread",
      ],
      path: "Sources/GPU/SlitScanGL",
      resources: [
        "ages", "between", "blend", "cover", "curve", "delays", "differs", "displace", "exposure",
        "feed", "history", "image", "level", "line", "luma", "motion", "older", "samples", "sheets",
        "slit", "smooth", "strip", "sweep", "trace", "view", "warp",
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
    .tests(
      "Tests/Check/SlitScanGLTests",
      [
        "CGStreamerGL", "COpenGL", "CSlitScanSettings", "SeededGenerator",
        "SlitScan", "SlitScanGL",
      ], settings: optimizedSwift + warningsAsErrors + [.enableExperimentalFeature("Lifetimes")]),
  ] : []

// Tests/Live/fuzz.sh sets SLITSCAN_FUZZ: these need compiler options of their own.
let fuzzTargets: [Target] =
  Context.environment["SLITSCAN_FUZZ"] != nil
  ? [
    .swiftModule(
      "Tests/Live/FuzzTargets",
      [
        "GStreamer", "SlitScanCapture", "SlitScanMIDI", "SlitScanOSC", "SlitScanPlugin",
        "SlitScanRemote", "SlitScanStage",
      ], settings: warningsAsErrors),
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
    .library("CGStreamerApp"),
    .library("CGStreamerController"),
    .swiftModule("Sources/Libraries/LibC"),
    .swiftModule(
      "Sources/Effect/StreamingThread", ["LibC"], settings: checkedSwift + optimizedSwift),
    // GStreamer for Swift: pipelines that are awaited, samples as asynchronous sequences.
    .target(
      name: "GStreamer",
      dependencies: [
        "CGStreamer", "CGStreamerApp", "CGStreamerController", "LibC", "StreamingThread",
      ],
      exclude: ["README.md"], swiftSettings: checkedSwift
    ),
    .cModule("Sources/Libraries/CLinux"),
    // Threads that share the work of a frame.
    .cModule("Sources/Effect/CWorkerPool"),
    // Memory larger than memory, kept in files.
    .cModule("Sources/Effect/CPagedMemory"),
    // The inner loops of the effect.
    .cModule("Sources/Effect/CSlitScanKernels", ["CPagedMemory", "CWorkerPool"]),
    .swiftModule(
      "Sources/Effect/SlitScan",
      [
        "CLinux", "CPagedMemory", "CSlitScanKernels", "CSlitScanSettings", "CWorkerPool", "LibC",
        "StreamingThread",
      ], settings: checkedSwift + optimizedSwift, plugins: ["ScanPropertiesPlugin"]),
    // The table of properties, and the C settings made from it.
    .cModule("Sources/Effect/CSlitScanSettings", linkerSettings: [.linkedLibrary("m")]),
    // The typed properties of `ScanSettings` and `Scan`, written from the table of properties at every build.
    .executableTarget(
      name: "ScanPropertiesWriter", dependencies: ["CSlitScanSettings"],
      path: "Sources/Effect/ScanPropertiesWriter", cSettings: checkedC),
    .plugin(
      name: "ScanPropertiesPlugin", capability: .buildTool(),
      dependencies: ["ScanPropertiesWriter"], path: "Sources/Effect/ScanPropertiesPlugin"),
    .cModule("Sources/Element/CSlitScanEngine", ["CSlitScanSettings"]),
    .swiftModule(
      "Sources/Element/SlitScanElement", ["CSlitScanEngine", "CSlitScanSettings", "SlitScan"],
      settings: checkedSwift + optimizedSwift),
    .target(
      name: "GstSlitScan",
      dependencies: ["CGStreamer", "CSlitScanEngine", "CSlitScanSettings", "SlitScanElement"],
      path: "gst/slitscan",
      publicHeadersPath: "include",
      cSettings: checkedC
    ),
    // Registers the element in programs that link it.
    .swiftModule("Sources/Element/SlitScanPlugin", ["CGStreamer", "GstSlitScan"]),
    .tests("Tests/Check/StreamingThreadTests", ["StreamingThread"]),
    .tests(
      "Tests/Check/SlitScanTests",
      [
        "CLinux", "CSlitScanKernels", "CWorkerPool", "SeededGenerator", "SlitScan",
        "TemporaryFolder",
      ], settings: optimizedSwift + warningsAsErrors + [.enableExperimentalFeature("Lifetimes")]),
    .systemLibrary(
      name: "CGStreamerCheck",
      path: "Tests/Support/CGStreamerCheck",
      pkgConfig: "gstreamer-check-1.0",
      providers: [.apt(["libgstreamer1.0-dev"])]
    ),
    // The reference model: the definitions as the simplest code that can be right. Shares nothing with the
    // effect but the table of properties.
    .swiftModule(
      "Tests/Support/Reference", ["CSettingList", "CSlitScanSettings"],
      settings: checkedSwift + optimizedSwift, plugins: ["ScanPropertiesPlugin"]),
    // The settings one after the other.
    .cModule("Tests/Support/CSettingList", ["CSlitScanSettings"]),
    // Seeded random numbers.
    .swiftModule("Tests/Support/SeededGenerator", settings: checkedSwift + optimizedSwift),
    // The element under test: the linked one, or that of a plugin.
    .swiftModule(
      "Tests/Support/ElementUnderTest",
      ["CGStreamer", "GstSlitScan", "SlitScanPlugin", "TestClock"]
        + (hasGL ? ["CGStreamerGL", "GstGLSlitScan"] : []),
      settings: checkedSwift + (hasGL ? [.define("SLITSCAN_GL")] : [])),
    .tests(
      "Tests/Check/ElementTests",
      [
        "CGStreamer", "CGStreamerCheck", "ElementUnderTest", "Reference", "SeededGenerator",
      ], settings: checkedSwift + optimizedSwift),
    .tests(
      "Tests/Check/PipelineTests",
      [
        "CGStreamer", "CGStreamerCheck", "CGStreamerController", "ElementUnderTest", "GLibLocks",
        "GStreamer", "LibC", "StreamingThread", "TemporaryFolder", "TestClock",
      ], settings: checkedSwift),
    // Tells ThreadSanitizer of GLib's locks, queues and references.
    .cModule("Tests/Support/GLibLocks", ["CGStreamer"]),
    // Runs programs and waits for their end.
    .swiftModule("Tests/Support/AwaitedProgram", ["CGStreamer"]),
    // Videos with an orientation tag, like those of phones.
    .swiftModule("Tests/Support/OrientedVideo", ["GStreamer"]),
    // Folders for the files of tests.
    .swiftModule("Tests/Support/TemporaryFolder"),
    // Ignores SIGPIPE in test processes.
    .cModule("Tests/Support/IgnoredSIGPIPE"),
    // Limits Swift's cooperative pool to one thread, so that a blocked thread fails a test.
    .cModule("Tests/Support/OneThreadPool"),
    // A pipeline clock that a test drives.
    .swiftModule(
      "Tests/Support/TestClock", ["CGStreamer", "CGStreamerCheck", "GStreamer", "StreamingThread"]),
    // The leak checker for GStreamer objects.
    .swiftModule("Tests/Support/LeakChecker", ["CGStreamer", "GStreamer"]),
    .tests(
      "Tests/Check/GStreamerTests",
      [
        "CGStreamer", "CGStreamerApp", "GLibLocks", "GStreamer", "IgnoredSIGPIPE",
        "LeakChecker", "LibC", "OneThreadPool", "SeededGenerator", "StreamingThread", "TestClock",
      ], settings: warningsAsErrors + [.enableExperimentalFeature("Lifetimes")]),
    // A separate process, for a plugin that has another copy of Swift's runtime than the process.
    .executableTarget(
      name: "PluginHost", dependencies: ["GStreamer", "SlitScan"],
      path: "Tests/Support/PluginHost", swiftSettings: warningsAsErrors
    ),
    // Tests in C that need a process of their own, because a failure ends it.
    .executableTarget(
      name: "ElementProgram",
      dependencies: ["CGStreamer", "CGStreamerCheck", "GLibLocks", "GstSlitScan"],
      path: "Tests/Live/ElementProgram", exclude: ["leaks.sh"], cSettings: checkedC
    ),
    // Runs the command in a shell, and reads the commands of the documentation pages.
    .swiftModule("Tests/Support/CommandUnderTest", ["AwaitedProgram"], settings: warningsAsErrors),
  ] + glTargets + commandTargets + fuzzTargets).filter {
    !(isSanitized && unsanitized.contains($0.name))
  },
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
