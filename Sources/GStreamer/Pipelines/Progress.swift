// The progress of a pipeline towards a state. A value: no lock, no threads.

/// A report on a pipeline's way to a state.
enum Progress {
  /// A point in the order of the news.
  struct Mark: Sendable {
    fileprivate let news: UInt64
    fileprivate let errors: UInt64
  }

  struct Ending {
    fileprivate var hasEnded = false
    fileprivate var failure: GStreamerError?
  }
}

/// The progress of state changes.
///
/// Every piece of news is counted. A task that looks at the pipeline, finds it not there yet and then waits
/// for news *after* the count at the time of the look cannot miss any.
struct ProgressBoard {
  private var news: UInt64 = 0
  private var errors: UInt64 = 0
  /// The newest of the errors: the last one in here has the number `errors`.
  private var newest: [GStreamerError] = []
  private var ending = Progress.Ending()

  /// Whether every sink has shown its last buffer.
  var hasEnded: Bool { ending.hasEnded }

  /// The first error of the stream.
  var failure: GStreamerError? { ending.failure }

  /// The point until which everything is known.
  var mark: Progress.Mark { Progress.Mark(news: news, errors: errors) }

  /// The first error since a mark.
  func error(since mark: Progress.Mark) -> GStreamerError? {
    newest.suffix(Int(clamping: errors - mark.errors)).first
  }

  /// Whether anything has happened since a mark.
  func hasNews(since mark: Progress.Mark) -> Bool { news != mark.news }

  mutating func happen() { news += 1 }

  mutating func fail(_ error: GStreamerError) {
    errors += 1
    if ending.failure == nil { ending.failure = error }
    // The first one says what happened; some that follow from it may be forgotten.
    if newest.count == 16 { newest.removeFirst() }
    newest.append(error)
    happen()
  }

  mutating func end() {
    ending.hasEnded = true
    happen()
  }

  /// The stream begins anew: nothing has ended or failed.
  ///
  /// - Returns: How the one before ended.
  @discardableResult
  mutating func begin() -> Progress.Ending {
    defer { ending = Progress.Ending() }
    return ending
  }

  /// The stream did not begin anew after all.
  mutating func goOn(from before: Progress.Ending) {
    if before.hasEnded { ending.hasEnded = true }
    if let failure = before.failure { ending.failure = failure }
  }
}
