// The limits of what clients can use: connections, bytes and time.

struct Limits: Sendable {
  /// Connections at a time besides those of phones in step; another one takes the place of an old one.
  var connections = 96
  /// WebSockets at a time: phones in step.
  var clients = 32
  /// The longest time that a request may take to come, and its answer to be taken.
  var request = Duration.seconds(10)
  /// The time between two questions whether a client is there.
  var ping = Duration.seconds(5)
  /// The time that a client may say nothing, or take nothing, before it is forgotten.
  var silence = Duration.seconds(20)
  /// The least time from one piece of news to the next.
  var pace = Duration.milliseconds(15)
  /// The most messages in a row that may make no sense.
  var nonsense = 20
  /// The most bytes that a client may send in a second; one that sends more is disconnected.
  var bytes = 1 << 18
  /// The least time from one file that a client has written to the next.
  var files = Duration.seconds(1)
  /// The least time from one frame to the next.
  var frames = Duration.milliseconds(60)
  /// The longer side of frames, in pixels.
  var frameSize = 480
  /// The longer side of thumbnails, in pixels.
  var thumbnailSize = 160
  /// The least pause between two thumbnails that are drawn; and between two of presets, once each has one.
  var drawings = Duration.milliseconds(100)
  var presets = Duration.milliseconds(300)
  /// The pause between two thumbnails of a source.
  var sources = Duration.seconds(2)
  /// The least length of the pause after a preset or a map image was drawn, by the time that it took.
  var rest = 9
  /// The least time from one frame that thumbnails are made of to the next: of 30 a second, every other one comes.
  var thumbnailFrames = Duration.milliseconds(50)
}
