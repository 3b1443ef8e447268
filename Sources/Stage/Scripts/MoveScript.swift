// A move script is a text file of moves with the times at which they are performed.

import FoundationEssentials
import GStreamer
import LibC
import SlitScanCapture

/// Moves with their times, as a file has them: a line for each, with the seconds since the first frame
/// and the move; `#` begins a comment.
///
/// ```
/// # intro
/// 0 preset "Time Warp Scan"
/// 12.5 set depth 90
/// 16 drive angle saw 8 0 360
/// ```
///
/// A file of ``MoveLog`` may have several shows, each from a line such as `show 2026-11-27T20:30:00Z` on.
public struct MoveScript: Sendable, Equatable {
  /// A move at its time.
  public struct Entry: Sendable, Equatable {
    /// The time, since the first frame.
    public var time: ClockTime
    /// The move.
    public var move: Move

    /// A move at a time.
    public init(_ time: ClockTime, _ move: Move) {
      self.time = time
      self.move = move
    }

    /// The line that stands for it.
    public var line: String { "\(Self.text(of: time)) \(move.line)" }

    /// A time as lines have it, in seconds.
    static func text(of time: ClockTime) -> String {
      // Thousandths where that is all there is, else so exact that the frame is known by it.
      let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
      return rest.isMultiple(of: 1_000_000)
        ? "\(seconds).\(String(rest / 1_000_000, digits: 3))"
        : "\(seconds).\(String(rest, digits: 9))"
    }
  }

  /// The moves, the earliest first.
  public private(set) var entries: [Entry] = []

  /// A show in which nothing happens.
  public init() {}

  /// A show that does some moves with its first frame.
  init(_ moves: [Move]) { entries = moves.map { Entry(.zero, $0) } }

  /// A show from the text of a file.
  ///
  /// - Parameter show: Which one of several, from 1 on; nil for the last.
  /// - Throws: ``StageError/Code/badFile``, which names the line.
  public init(_ text: String, show: Int? = nil) throws(StageError) {
    for (number, line) in try Self.lines(of: show, in: text) {
      entries.append(try Self.entry(line, line: number))
    }
    // Moves of one time stay in their order.
    entries.sort { $0.time < $1.time }
  }

  /// The lines of one show, with their numbers, without those that say nothing.
  private static func lines(
    of show: Int?, in text: String
  ) throws(StageError) -> [(number: Int, line: String)] {
    var shows: [[(number: Int, line: String)]] = []
    // Lines of Windows end with one character that is no "\n".
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() {
      let trimmed = line.trimmingSpaces
      guard !trimmed.isEmpty, !trimmed.hasPrefix("#") else { continue }
      if trimmed.hasPrefix(beginning) {
        shows.append([])
      } else if shows.isEmpty {
        shows.append([(number + 1, trimmed)])
      } else {
        shows[shows.endIndex - 1].append((number + 1, trimmed))
      }
    }
    guard let show else { return shows.last ?? [] }
    guard shows.indices.contains(show - 1) else {
      throw StageError(
        .badFile, "There is no show \(show): the file has \(shows.count), counted from 1.")
    }
    return shows[show - 1]
  }

  /// The word of a line that begins a show, before the date and time.
  static let beginning = "show "

  private static func entry(_ text: String, line: Int) throws(StageError) -> Entry {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let seconds = Double(parts[0]), seconds >= 0, seconds < 1e9 else {
      throw StageError(
        .badFile, "Line \(line) does not begin with a time in seconds and a move: \(text)")
    }
    do throws(StageError) {
      let time = ClockTime(nanoseconds: UInt64((seconds * 1e9).rounded()))
      return Entry(time, try Move(String(parts[1])))
    } catch {
      throw StageError(.badFile, "Line \(line): \(error.message)")
    }
  }

  /// A show from a file.
  ///
  /// - Parameter show: Which one of several, from 1 on; nil for the last.
  /// - Throws: ``StageError/Code/badFile``.
  public init(file path: String, show: Int? = nil) throws(StageError) {
    guard let text = String(textFile: try Data(ofFile: path)) else {
      throw StageError(.badFile, "\(path) is not UTF-8, so names in it could be wrong. Convert it.")
    }
    do throws(StageError) {
      try self.init(text, show: show)
    } catch {
      throw StageError(.badFile, "\(path): \(error.message)")
    }
  }

  /// Adds a move at the end.
  public mutating func append(_ entry: Entry) { entries.append(entry) }

  /// The text of the file.
  public var text: String { entries.map { $0.line + "\n" }.joined() }
}

extension Performance {
  /// Does the moves of a script when their frames come; before the first frame, what it does at time 0.
  ///
  /// A move that cannot be done is announced as a warning, and the rest goes on.
  ///
  /// - Throws: ``StageError/Code/cancelled``.
  public func play(_ script: MoveScript) async throws(StageError) {
    for entry in script.entries {
      while true {
        let time = await stage.time
        guard time < entry.time else { break }
        // Not slept through at once: the time of frames may stop, and it may jump.
        let left = Duration.nanoseconds(Int64(clamping: (entry.time - time).nanoseconds))
        do {
          try await clock.sleep(for: min(max(left, .milliseconds(1)), .milliseconds(250)))
        } catch {
          throw StageError(
            .cancelled, "The task was cancelled before all moves of the script were done.")
        }
      }
      if case .tempo = entry.move {
        await performOrTell(entry.move, isAtItsTime: true)
      } else {
        await play(entry.move)
      }
    }
  }
}

/// The moves of a performance as lines of a file, each written when it is done: a show that breaks off
/// is there until then.
///
/// A file that is there is continued. Before the first move, a line says when the show began.
public struct MoveLog: Sendable {
  private let file: OpenFile
  private let beginning: String
  private let performed: AsyncStream<MoveScript.Entry>

  /// A file for the moves from now on.
  ///
  /// - Parameter begun: When the show began.
  /// - Throws: ``StageError/Code/badFile``.
  public init(
    of performance: Performance, to path: String, begun: Date = Date()
  ) throws(StageError) {
    // Whatever is there is written to, a pipe or a device too, and never replaced by a file.
    guard let file = OpenFile.open(path, O_WRONLY | O_CREAT | O_APPEND) else {
      throw StageError(.badFile, "\(path) cannot be written: \(systemReason()).")
    }
    self.file = file
    var status = stat()
    let isFile = unsafe fstat(file.descriptor, &status) == 0 && status.isRegular
    // Until the process ends, however it ends.
    guard !isFile || file.lock() else {
      throw StageError(
        .badFile, "\(path) is the log of another show that is on. Name another file.")
    }
    // Also where the last line is not complete.
    beginning =
      (isFile && status.st_size > 0 ? "\n" : "") + MoveScript.beginning + begun.formatted(.iso8601)
      + "\n"
    performed = performance.performed
  }

  /// Writes, until the performance is over or the task cancelled.
  ///
  /// - Throws: ``StageError/Code/badFile`` where the disk is full.
  public func run() async throws(StageError) {
    var head = beginning
    for await entry in performed {
      guard let move = entry.move.onAnyMachine else { continue }
      let line = MoveScript.Entry(entry.time, move).line
      guard write(head + line + "\n", to: file.descriptor) else {
        throw StageError(.badFile, "The moves cannot be written: \(systemReason()).")
      }
      head = ""
    }
  }
}

extension Move {
  /// The move as any machine can do it: without the folder of this one's history; nil for nothing.
  var onAnyMachine: Move? {
    let location = "history-location"
    switch self {
    case .set(location, _), .reset(location?): return nil
    case .setAll(var values):
      values[location] = nil
      return values.isEmpty ? nil : .setAll(values)
    default: return self
    }
  }
}
