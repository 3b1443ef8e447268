// The ffmpeg peer: filters combined to a slit scan, as recipes on the web do it.

extension Peer {
  /// Delayed strips, and strip photographs.
  static func ffmpeg(size: FrameSize, depth: Int, plugin: PluginFile) -> [Peer] {
    let requirement = Requirement(packages: "ffmpeg", program: "ffmpeg", arguments: ["-version"])
    let strip = plugin.pair(
      "mode=strip angle=90 slit-width=2", size: size, format: .i420)
    // Two columns of a frame, as the chroma has only every other one.
    let slit = "crop=2:ih:iw/4*2:0"
    let columns = max(size.width / 2, 1)
    let strips = min(depth, size.height / 2)
    return [
      Peer(
        name: "ffmpeg, \(strips) strips", requirement: requirement, equivalent: "rows",
        format: .i420, depth: depth, fill: 3 * depth,
        theirs: filters(delayedStrips(strips, height: size.height), size: size),
        ours: plugin.pair("depth=\(depth)", size: size, format: .i420)),
      Peer(
        name: "ffmpeg, strip photo", requirement: requirement, equivalent: "strip",
        format: .i420, depth: 1, fill: 10,
        theirs: filters(
          "\(slit),tile=\(columns)x1:overlap=\(columns - 1):init_padding=\(columns - 1)",
          size: size),
        ours: strip),
      // The same without a live output: it is shown once, when it is full.
      Peer(
        name: "ffmpeg, strip photo at its end", requirement: requirement, equivalent: "strip, live",
        format: .i420, depth: 1, fill: 10,
        theirs: filters("\(slit),tile=\(columns)x1", size: size, framesPerOutput: columns),
        ours: strip),
    ]
  }

  /// A frame cut into strips of rows, the k-th delayed by k frames, put together again.
  private static func delayedStrips(_ count: Int, height: Int) -> String {
    // Whole rows of chroma.
    let tops = (0..<count).map { $0 * height / count / 2 * 2 } + [height]
    let strips = (0..<count).map { index in
      let crop = "[in\(index)]crop=iw:\(tops[index + 1] - tops[index]):0:\(tops[index])"
      let delay = index == 0 ? "" : ",tpad=start=\(index):start_mode=clone"
      return "\(crop)\(delay)[out\(index)]"
    }
    let inputs = (0..<count).map { "[in\($0)]" }.joined()
    let outputs = (0..<count).map { "[out\($0)]" }.joined()
    guard count > 1 else { return "null" }
    return
      "split=\(count)\(inputs);\(strips.joined(separator: ";"));\(outputs)vstack=inputs=\(count)"
  }

  private static func filters(
    _ filters: String, size: FrameSize, framesPerOutput: Int = 1
  ) -> Pair {
    var effect = ffmpeg(filters, size: size)
    effect.framesPerOutput = framesPerOutput
    return Pair(effect: effect, source: ffmpeg("null", size: size))
  }

  /// Frames of I420 through filters, on one thread.
  private static func ffmpeg(_ filters: String, size: FrameSize) -> Program {
    let line =
      "-nostdin -hide_banner -loglevel error -threads 1 -f rawvideo -pixel_format yuv420p "
      + "-video_size \(size) -framerate 30 -i /dev/zero -filter_threads 1 "
      + "-filter_complex_threads 1 -filter_complex \(filters) -progress pipe:1 "
      + "-stats_period 0.01 -f null -"
    return Program(
      name: "ffmpeg", arguments: line.split(separator: " ").map(String.init),
      counting: .number(after: "frame="))
  }
}
