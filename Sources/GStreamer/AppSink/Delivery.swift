// A delivery policy says which samples an appsink drops when they arrive faster than they are read.

/// The policy by which an ``AppSink`` hands over or drops samples.
public enum Delivery: Sendable, Hashable {
  /// Every sample is handed over. Once `queue` of them wait, the streaming thread does, too: put a
  /// `queue` element before the sink where others must not be held up by that.
  case lossless(queue: Int)
  /// The newest samples are handed over; where more than so many wait, the oldest are dropped, and
  /// counted in ``AppSink/dropped``. Nothing is ever held up.
  case latest(Int)

  /// Every sample, with a queue of four.
  public static let lossless = Delivery.lossless(queue: 4)
}
