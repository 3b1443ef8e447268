// The NumPy peer: a ring of frames and a gather, as scripts around OpenCV do it.

extension Peer {
  /// The gather as it is commonly written, and the fastest one that we know of.
  static func numPy(size: FrameSize, depth: Int, plugin: PluginFile) -> [Peer] {
    let ours = plugin.pair("map=radial depth=\(depth)", size: size, format: .bgr)
    return [("NumPy ring[delay, y, x]", "index"), ("NumPy take", "take")].map { name, way in
      Peer(
        name: name,
        requirement: Requirement(
          packages: "python3-numpy", program: "python3", arguments: ["-c", "import numpy"]),
        equivalent: "radial", format: .bgr, depth: depth, fill: 2 * depth + 10,
        theirs: Pair(
          effect: python(way, size: size, depth: depth),
          source: python("none", size: size, depth: depth)),
        ours: ours)
    }
  }

  private static func python(_ way: String, size: FrameSize, depth: Int) -> Program {
    Program(
      name: "python3",
      arguments: ["-c", script, "\(size.width)", "\(size.height)", "\(depth)", way],
      // NumPy's gathers use one thread; its libraries might not.
      environment: ["OMP_NUM_THREADS": "1"], counting: .number(after: "frame="))
  }

  /// Frames of three bytes a pixel, as OpenCV has them, through a radial map.
  private static let script = """
    import sys
    import numpy as np

    width, height, depth = map(int, sys.argv[1:4])
    way = sys.argv[4]
    frames = [np.random.default_rng(i).integers(0, 256, (height, width, 3), np.uint8)
                for i in range(6)]
    y, x = np.mgrid[0:height, 0:width]
    far = np.hypot(x - width / 2 + 0.5, y - height / 2 + 0.5)
    delay = np.rint(far / np.hypot(width / 2, height / 2) * (depth - 1)).astype(np.int64)
    ring = np.zeros((depth, height, width, 3), np.uint8)
    pixels = ring.reshape(-1, 3)
    older = np.arange(height * width).reshape(height, width) - delay * (height * width)
    index = np.empty_like(older)
    out = np.empty((height, width, 3), np.uint8)
    n = 0
    while True:
        frame = frames[n % 6]
        head = n % depth
        if way == "index":
            ring[head] = frame
            out = ring[(head - delay) % depth, y, x]
        elif way == "take":
            ring[head] = frame
            np.add(older, head * height * width, out=index)
            np.take(pixels, index, axis=0, out=out, mode="wrap")
        n += 1
        print("frame=%d" % n, flush=True)
    """
}
