// The GStreamer peer: elements that delay parts of the frame.

extension Peer {
  /// delaygrab of frei0r, and quarktv of EffecTV.
  static func gstreamer(size: FrameSize, depth: Int, plugin: PluginFile) -> [Peer] {
    let planes = min(depth, 64)
    return [
      // Rings two pixels wide; its 71 frames cannot be changed (QUEUEDEPTH in delaygrab.cpp).
      Peer(
        name: "frei0r delaygrab",
        requirement: element(
          "frei0r-filter-delaygrab", packages: "gstreamer1.0-plugins-bad frei0r-plugins"),
        equivalent: "radial", format: .bgra, depth: 71, fill: 2 * 71 + 10,
        theirs: pipelines("frei0r-filter-delaygrab", size: size, format: .bgra),
        ours: plugin.pair("map=radial depth=71", size: size, format: .bgra)),
      Peer(
        name: "quarktv", requirement: element("quarktv", packages: "gstreamer1.0-plugins-good"),
        equivalent: "random", format: .rgbx, depth: planes, fill: 2 * planes + 10,
        theirs: pipelines("quarktv planes=\(planes)", size: size, format: .rgbx),
        ours: plugin.pair(
          "map=random block-size=1 depth=\(planes)", size: size, format: .rgbx)),
    ]
  }

  private static func element(_ name: String, packages: String) -> Requirement {
    Requirement(
      packages: "gstreamer1.0-tools \(packages)", program: "gst-inspect-1.0",
      arguments: ["--exists", name])
  }

  /// Pipelines with an element, and with one that does nothing in its place.
  static func pipelines(_ element: String, size: FrameSize, format: FrameFormat) -> Pair {
    Pair(
      effect: pipeline(element, size: size, format: format),
      source: pipeline("identity", size: size, format: format))
  }

  private static func pipeline(
    _ element: String, size: FrameSize, format: FrameFormat
  ) -> Program {
    let caps =
      "video/x-raw,format=\(format.rawValue),width=\(size.width),height=\(size.height),"
      + "framerate=30/1"
    // Of the patterns, one that is drawn anew for each frame, fast; still ones come as one buffer
    // again and again, which would stay in the processor's caches.
    let line =
      "-v videotestsrc pattern=smpte ! \(caps) ! \(element) ! fakesink sync=false silent=false"
    return Program(
      name: "gst-launch-1.0", arguments: line.split(separator: " ").map(String.init),
      counting: .lines(containing: "last-message = chain"))
  }
}
