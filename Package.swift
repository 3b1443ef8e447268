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
let fetchedPackages: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
]
let carriedPackages: [Package.Dependency] = ["swift-argument-parser"].map {
  .package(path: "meson-shim/packages/\($0)")
}

let externalDependencies =
  !hasCommand || isSanitized ? [] : isSourceRelease ? carriedPackages : fetchedPackages

// RtMidi within the command, with the system's MIDI that it is made of: meson-shim/swift-build.py.
let rtmidi: [LinkerSetting] =
  Context.environment["SLITSCAN_RTMIDI_ARCHIVE"] == nil
  ? [.linkedLibrary("rtmidi")] : [.linkedLibrary(":librtmidi.a"), .linkedLibrary("asound")]

let commandProducts: [Product] =
  hasCommand
  ? [
    .library(name: "SlitScanCapture", targets: ["SlitScanCapture"]),
    .library(name: "SlitScanStage", targets: ["SlitScanStage"]),
    .library(name: "SlitScanMIDI", targets: ["SlitScanMIDI"]),
    .library(name: "SlitScanOSC", targets: ["SlitScanOSC"]),
    .library(name: "SlitScanRemote", targets: ["SlitScanRemote"]),
    .library(name: "SlitScanTerminal", targets: ["SlitScanTerminal"]),
    .library(name: "SlitScanRender", targets: ["SlitScanRender"]),
  ] + (isSanitized ? [] : [.executable(name: "slitscan", targets: ["SlitScanCommand"])]) : []

let commandTargets: [Target] =
  hasCommand
  ? [
    .executableTarget(
      name: "SlitScanCommand",
      dependencies: [
        "CAbletonLink", "CAubio", "CGLTimer", "CLinux", "CSlitScanSettings", "GStreamer",
        "GstSlitScan", "LibC", "SlitScanCapture", "SlitScanMIDI", "SlitScanOSC",
        "SlitScanPlugin", "SlitScanRemote", "SlitScanRender", "SlitScanStage",
        "SlitScanTerminal", "SlitScanWindow", "StreamingThread",
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
        "SlitScanRender", "TemporaryFolder", "TestFilm",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Command"])),
      ],
      path: "Tests/Check/CommandTests",
      swiftSettings: warningsAsErrors
    ),
    // The command in a shell. Runs only from Tests/run.sh, which prepares the plugin and a camera.
    .testTarget(
      name: "CommandLiveTests",
      dependencies: ["CommandUnderTest", "PluginHost", "TemporaryFolder", "TestFilm"],
      path: "Tests/Live/CommandLiveTests",
      swiftSettings: warningsAsErrors
    ),
    // Measures GPU time. It loads GStreamer's OpenGL library, and does not link it.
    .target(
      name: "CGLTimer", dependencies: ["CGStreamer"], path: "Sources/GPU/CGLTimer",
      cSettings: checkedC),
    // Ableton Link: a tempo shared in a network. Only the command has it: Link is under the GPL.
    .target(
      name: "CAbletonLink", path: "Sources/Libraries/CAbletonLink", cSettings: checkedC,
      cxxSettings: [.define("LINK_PLATFORM_LINUX", to: "1")]),
    // Beat detection. Only the command has it: aubio is under the GPL.
    .systemLibrary(
      name: "CAubio", path: "Sources/Libraries/CAubio", providers: [.apt(["libaubio-dev"])]),
    // Captures from cameras and files through the effect, to previews and recordings.
    .target(
      name: "SlitScanCapture",
      dependencies: [
        "CEffectBin", "CLinux", "GStreamer", "GstSlitScan", "LibC", "SlitScanPlugin",
        "StreamingThread",
      ],
      path: "Sources/Capture/SlitScanCapture", swiftSettings: checkedSwift,
      plugins: ["ScanPropertiesPlugin"]
    ),
    // A bin that falls back to the effect on the processor when the one on the GPU fails.
    .target(
      name: "CEffectBin", dependencies: ["CGStreamer"], path: "Sources/Capture/CEffectBin",
      cSettings: checkedC),
    // Live shows: moves from all inputs, and the performance that they change.
    .target(
      name: "SlitScanStage",
      dependencies: [
        "CLinux", "GstSlitScan", "GStreamer", "LibC", "SlitScanCapture", "SlitScanPlugin",
        "SlitScanWindow", "StreamingThread",
      ],
      path: "Sources/Stage", exclude: ["README.md"], swiftSettings: checkedSwift
    ),
    .systemLibrary(
      name: "CSDL", path: "Sources/Libraries/CSDL", providers: [.apt(["libsdl2-dev"])]),
    // Preview windows on displays.
    .target(
      name: "SlitScanWindow",
      dependencies: ["CSDL", "GStreamer", "LibC", "SlitScanCapture", "StreamingThread"],
      path: "Sources/Capture/SlitScanWindow", swiftSettings: checkedSwift
    ),
    .testTarget(
      name: "SlitScanStageTests",
      dependencies: [
        "AwaitedProgram", "GStreamer", "LibC", "SeededGenerator", "SlitScanRender", "SlitScanStage",
        "SlitScanWindow", "StageUnderTest", "TemporaryFolder", "TestClock", "TestFilm",
      ],
      path: "Tests/Check/SlitScanStageTests",
      swiftSettings: warningsAsErrors
    ),
    // Stages by clocks of tests, shows that are logged, and the folders of both.
    .target(
      name: "StageUnderTest",
      dependencies: [
        "GStreamer", "SlitScanCapture", "SlitScanStage", "TemporaryFolder", "TestClock",
      ],
      path: "Tests/Support/StageUnderTest", swiftSettings: checkedSwift),
    .systemLibrary(
      name: "CRtMidi", path: "Sources/Libraries/CRtMidi", providers: [.apt(["librtmidi-dev"])]),
    .systemLibrary(
      name: "CJack", path: "Sources/Libraries/CJack", providers: [.apt(["libjack-jackd2-dev"])]),
    // MIDI by ALSA, JACK and files of bytes.
    .target(
      name: "SlitScanMIDI",
      dependencies: ["CJack", "CRtMidi", "GStreamer", "LibC", "SlitScanStage", "StreamingThread"],
      path: "Sources/Inputs/SlitScanMIDI", swiftSettings: checkedSwift,
      linkerSettings: [.linkedLibrary("jack")] + rtmidi
    ),
    .testTarget(
      name: "SlitScanMIDITests",
      dependencies: [
        "GStreamer", "LibC", "SeededGenerator", "SlitScanMIDI", "SlitScanStage", "StageUnderTest",
        "StreamingThread", "TemporaryFolder",
      ],
      path: "Tests/Check/SlitScanMIDITests",
      swiftSettings: warningsAsErrors
    ),
    .testTarget(
      name: "SlitScanMIDILiveTests", dependencies: ["GStreamer", "SlitScanMIDI", "SlitScanStage"],
      path: "Tests/Live/SlitScanMIDILiveTests",
      swiftSettings: warningsAsErrors
    ),
    // OSC by UDP, both ways.
    .target(
      name: "SlitScanOSC", dependencies: ["GStreamer", "LibC", "SlitScanStage", "StreamingThread"],
      path: "Sources/Inputs/SlitScanOSC", swiftSettings: checkedSwift
    ),
    .testTarget(
      name: "SlitScanOSCTests",
      dependencies: [
        "GStreamer", "SeededGenerator", "SlitScanOSC", "SlitScanStage", "StageUnderTest",
      ],
      path: "Tests/Check/SlitScanOSCTests",
      swiftSettings: warningsAsErrors
    ),
    .testTarget(
      name: "SlitScanOSCLiveTests",
      dependencies: ["AwaitedProgram", "GStreamer", "SlitScanOSC", "SlitScanStage"],
      path: "Tests/Live/SlitScanOSCLiveTests",
      swiftSettings: warningsAsErrors
    ),
    // A show, with the keys of a terminal and of windows, and the live screen.
    .target(
      name: "SlitScanTerminal",
      dependencies: ["GStreamer", "LibC", "SlitScanCapture", "SlitScanStage", "StreamingThread"],
      path: "Sources/Inputs/SlitScanTerminal", swiftSettings: checkedSwift
    ),
    .testTarget(
      name: "SlitScanTerminalTests",
      dependencies: [
        "GStreamer", "SlitScanCapture", "SlitScanStage", "SlitScanTerminal", "StageUnderTest",
        "TemporaryFolder", "TestClock",
      ],
      path: "Tests/Check/SlitScanTerminalTests",
      swiftSettings: warningsAsErrors
    ),
    .systemLibrary(
      name: "CSoup", path: "Sources/Libraries/CSoup",
      pkgConfig: pkgConfig("libsoup-3.0", "Sources/Libraries/CSoup/soup.pc"),
      providers: [.apt(["libsoup-3.0-dev"])]),
    // Limits that libsoup lacks: on connections and WebSocket frames.
    .target(
      name: "CWebServer", dependencies: ["CSoup"], path: "Sources/Inputs/CWebServer",
      cSettings: checkedC),
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
    .testTarget(
      name: "SlitScanRemoteTests",
      dependencies: [
        "CSoup", "GStreamer", "SeededGenerator", "SlitScanCapture", "SlitScanRemote",
        "SlitScanStage", "StreamingThread", "TemporaryFolder",
      ],
      path: "Tests/Check/SlitScanRemoteTests",
      swiftSettings: warningsAsErrors
    ),
    // A show with a remote, for a browser test.
    .executableTarget(
      name: "RemoteProgram",
      dependencies: ["GStreamer", "SlitScanCapture", "SlitScanRemote", "SlitScanStage"],
      path: "Tests/Live/RemoteProgram", exclude: ["try-page.py", "try-page.sh"],
      swiftSettings: checkedSwift
    ),
    .systemLibrary(
      name: "CCairo", path: "Sources/Libraries/CCairo", providers: [.apt(["libcairo2-dev"])]),
    // PNG files, read with all bits that they have, and written row by row.
    .target(
      name: "CPNGFiles", path: "Sources/Render/CPNGFiles", cSettings: checkedC,
      linkerSettings: [.linkedLibrary("png")]),
    // Renders files through the effect, as fast as the machine can.
    .target(
      name: "SlitScanRender",
      dependencies: [
        "CCairo", "CPNGFiles", "CSlitScanSettings", "GStreamer", "LibC",
        "SlitScanCapture", "StreamingThread",
      ],
      path: "Sources/Render/SlitScanRender", swiftSettings: checkedSwift,
      linkerSettings: [.linkedLibrary("cairo")]
    ),
    .testTarget(
      name: "SlitScanRenderTests",
      dependencies: [
        "AwaitedProgram", "Footage", "GStreamer", "OrientedVideo", "SlitScanCapture",
        "SlitScanRender", "TemporaryFolder", "TestFilm",
      ],
      path: "Tests/Check/SlitScanRenderTests",
      swiftSettings: warningsAsErrors
    ),
    .testTarget(
      name: "SlitScanRenderLiveTests",
      dependencies: [
        "GStreamer", "SlitScanCapture", "SlitScanRender", "TemporaryFolder", "TestFilm",
      ],
      path: "Tests/Live/SlitScanRenderLiveTests",
      swiftSettings: warningsAsErrors
    ),
    // Small test films, and decoders of rendered ones.
    .target(
      name: "TestFilm", dependencies: ["GStreamer", "SlitScanRender"],
      path: "Tests/Support/TestFilm", swiftSettings: warningsAsErrors),
    // A separate process, for tests that set its environment.
    .executableTarget(
      name: "CaptureProgram", dependencies: ["GStreamer", "SlitScanCapture"],
      path: "Tests/Support/CaptureProgram", swiftSettings: checkedSwift
    ),
    // Test frames and sound for recordings, and checks of files by ffprobe and ffmpeg.
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
        "OrientedVideo", "SeededGenerator", "SlitScanCapture", "TemporaryFolder", "TestClock",
      ],
      path: "Tests/Check/SlitScanCaptureTests",
      swiftSettings: warningsAsErrors
    ),
    .testTarget(
      name: "SlitScanCaptureLiveTests",
      dependencies: [
        "AwaitedProgram", "CaptureProgram", "Footage", "GStreamer", "SlitScanCapture",
        "TemporaryFolder",
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

// Tests/Live/fuzz.sh sets SLITSCAN_FUZZ: these need compiler options of their own.
let fuzzTargets: [Target] =
  Context.environment["SLITSCAN_FUZZ"] != nil
  ? [
    .target(
      name: "FuzzTargets",
      dependencies: [
        "GStreamer", "SlitScanCapture", "SlitScanMIDI", "SlitScanOSC", "SlitScanPlugin",
        "SlitScanRemote", "SlitScanStage",
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
    // Memory larger than memory, kept in files.
    .target(name: "CPagedMemory", path: "Sources/Effect/CPagedMemory", cSettings: checkedC),
    // The inner loops of the effect.
    .target(
      name: "CSlitScanKernels", dependencies: ["CPagedMemory", "CWorkerPool"],
      path: "Sources/Effect/CSlitScanKernels", cSettings: checkedC),
    .target(
      name: "SlitScan",
      dependencies: [
        "CLinux", "CPagedMemory", "CSlitScanKernels", "CSlitScanSettings", "CWorkerPool", "LibC",
        "StreamingThread",
      ],
      path: "Sources/Effect/SlitScan", swiftSettings: checkedSwift + optimizedSwift,
      plugins: ["ScanPropertiesPlugin"]
    ),
    // The table of properties, and the C settings made from it.
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
    // Registers the element in programs that link it.
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
        "TemporaryFolder",
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
    // The reference model: the definitions as the simplest code that can be right. Shares nothing with the
    // effect but the table of properties.
    .target(
      name: "Reference", dependencies: ["CSlitScanSettings"], path: "Tests/Support/Reference",
      swiftSettings: checkedSwift + optimizedSwift, plugins: ["ScanPropertiesPlugin"]),
    // Seeded random numbers.
    .target(
      name: "SeededGenerator", path: "Tests/Support/SeededGenerator",
      swiftSettings: checkedSwift + optimizedSwift),
    // The element under test: the linked one, or that of a plugin.
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
        "GStreamer", "LibC", "StreamingThread", "TemporaryFolder", "TestClock",
      ],
      path: "Tests/Check/PipelineTests",
      swiftSettings: checkedSwift
    ),
    // Tells ThreadSanitizer of GLib's locks, queues and references.
    .target(
      name: "GLibLocks", dependencies: ["CGStreamer"], path: "Tests/Support/GLibLocks",
      cSettings: checkedC),
    // Runs programs and waits for their end.
    .target(
      name: "AwaitedProgram", dependencies: ["CGStreamer"], path: "Tests/Support/AwaitedProgram",
      swiftSettings: checkedSwift),
    // Videos with an orientation tag, like those of phones.
    .target(
      name: "OrientedVideo", dependencies: ["GStreamer"], path: "Tests/Support/OrientedVideo",
      swiftSettings: checkedSwift),
    // Folders for the files of tests.
    .target(
      name: "TemporaryFolder", path: "Tests/Support/TemporaryFolder", swiftSettings: checkedSwift),
    // Ignores SIGPIPE in test processes.
    .target(name: "IgnoredSIGPIPE", path: "Tests/Support/IgnoredSIGPIPE", cSettings: checkedC),
    // Limits Swift's cooperative pool to one thread, so that a blocked thread fails a test.
    .target(name: "OneThreadPool", path: "Tests/Support/OneThreadPool", cSettings: checkedC),
    // A pipeline clock that a test drives.
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
    .target(
      name: "CommandUnderTest", dependencies: ["AwaitedProgram"],
      path: "Tests/Support/CommandUnderTest", swiftSettings: warningsAsErrors),
  ] + glTargets + commandTargets + fuzzTargets).filter {
    !(isSanitized && unsanitized.contains($0.name))
  },
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
