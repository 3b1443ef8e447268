// Detection of files whose demuxer does not notice their end.

import GStreamer
import Glibc
import StreamingThread

extension Element {
  /// Ends the stream of a file whose demuxer asks again and again for data behind the file's end.
  ///
  /// GStreamer's libav demuxers report the end of a file to FFmpeg as zero bytes, which FFmpeg 5 and later take
  /// for "try again": the GIF demuxer never ends. Cut off from its file, a demuxer ends its stream.
  ///
  /// Must be called on a `filesrc` before it plays.
  func endsRepeatedReads(behindEndOf path: String) throws(GStreamerError) {
    let misses = Lock(0)
    try pad("src").addProbe(.pull) { item, pad in
      guard case .pull(let offset) = item else { return .pass }
      // A file that is still being written grows: its size is looked up each time.
      var status = stat()
      let isBehind = unsafe stat(path, &status) == 0 && offset >= UInt64(clamping: status.st_size)
      let count = misses.withLock { misses in
        misses = isBehind ? misses + 1 : 0
        return misses
      }
      guard count > Self.toleratedMisses else { return .pass }
      if let peer = pad.peer { pad.unlink(from: peer) }
      return .remove
    }
  }

  /// A demuxer that works reads behind the end once or twice.
  private static let toleratedMisses = 50
}
