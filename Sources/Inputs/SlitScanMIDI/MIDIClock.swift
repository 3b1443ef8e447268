// The MIDI clock measures the tempo of another machine's clock ticks. A value, without a clock of its own.

import SlitScanStage

/// Follows the 24 ticks that a machine sends for each beat.
///
/// Ticks come late and unevenly, by a millisecond or more, and some are lost. The tempo and the beat are
/// those of the line that is nearest to the last two beats of ticks (least squares of time over number).
/// A tick that is far from the line is put aside. When the next ones are as far, they are looked at by
/// themselves: if they are as dense as before and whole ticks late, ticks were lost; else the tempo is
/// another, and the line begins anew. When they come back to the line, they were only held up.
struct MIDIClock: Sendable, Equatable {
  /// Ticks of a beat.
  static let division = 24
  /// The number of ticks that the line is made from.
  static let window = 2 * division
  /// The least number of ticks for a tempo.
  static let enough = division / 2
  /// The most ticks in a row that may be far from the line.
  static let patience = 6
  /// A pause after which nothing is left of what was before.
  static let pause = Duration.milliseconds(500)

  private struct Tick: Sendable, Equatable {
    var number: Double
    /// In seconds, from the first.
    var time: Double
  }

  /// Ticks on a line: when each is, in seconds.
  private struct Line: Sendable, Equatable {
    let period: Double
    let start: Double
    /// The distance of ticks from it, as a root of the mean of squares.
    let spread: Double

    /// The line that is nearest to some ticks; nil for less than three.
    init?(_ ticks: [Tick]) {
      guard ticks.count > 2 else { return nil }
      let count = Double(ticks.count)
      let number = ticks.reduce(0) { $0 + $1.number } / count
      let time = ticks.reduce(0) { $0 + $1.time } / count
      let along = ticks.reduce(0) { $0 + ($1.number - number) * ($1.number - number) }
      let across = ticks.reduce(0) { $0 + ($1.number - number) * ($1.time - time) }
      guard along > 0 else { return nil }
      let period = across / along
      let start = time - period * number
      let squares = ticks.reduce(0) { sum, tick in
        let error = tick.time - start - period * tick.number
        return sum + error * error
      }
      self.period = period
      self.start = start
      spread = (squares / count).squareRoot()
    }

    func time(of number: Double) -> Double { start + period * number }
  }

  private var origin: ContinuousClock.Instant?
  private var last: ContinuousClock.Instant?
  private var ticks: [Tick] = []
  private var aside: [Tick] = []
  private var line: Line?
  private var next = 0.0
  /// The number of the song's tick that goes with tick 0; nil while the song position is unknown.
  private var offset: Double?
  /// The place where the song goes on with the next tick.
  private var waiting: Double?
  /// The place where the song stopped, or was put.
  private var position = 0.0

  /// The song begins with the next tick.
  mutating func start() { waiting = 0 }

  /// The song goes on with the next tick.
  mutating func resume() { waiting = position }

  /// The song stops; ticks that come all the same are followed.
  mutating func stop() {
    if let offset { position = next + offset }
    waiting = nil
  }

  /// The song is put somewhere.
  mutating func locate(sixteenths: UInt16) {
    position = Double(sixteenths) * Double(Self.division / 4)
  }

  mutating func tick(at moment: ContinuousClock.Instant) {
    // They are told in order; a clock that goes back is none.
    if let last, moment - last > Self.pause || moment < last { begin() }
    let origin = origin ?? moment
    self.origin = origin
    last = moment
    let tick = Tick(number: next, time: (moment - origin).seconds)
    next += 1
    if let song = waiting {
      offset = song - tick.number
      waiting = nil
    }
    guard let line else { return add([tick]) }
    if abs(tick.time - line.time(of: tick.number)) <= reach(of: line) {
      aside = []
      add([tick])
    } else {
      aside.append(tick)
      if aside.count >= Self.patience { judge(by: line) }
    }
  }

  private mutating func begin() {
    let kept = (position: position, waiting: waiting)
    self = MIDIClock()
    position = kept.position
    waiting = kept.waiting
  }

  /// The greatest distance of a tick from the line.
  private func reach(of line: Line) -> Double { max(0.003, line.period / 5) }

  private mutating func add(_ new: [Tick]) {
    ticks = (ticks + new).suffix(Self.window)
    line = ticks.count < Self.enough ? nil : Line(ticks)
  }

  /// Says what it is with ticks that are all far from the line.
  private mutating func judge(by line: Line) {
    guard let other = Line(aside), other.period > Self.shortest / 2 else {
      // They come all at once: something holds them up. What comes after tells.
      aside.removeFirst()
      return
    }
    let error = aside.reduce(0) { $0 + $1.time - line.time(of: $1.number) } / Double(aside.count)
    let lost = (error / line.period).rounded()
    if abs(other.period / line.period - 1) < 0.1, lost >= 1,
      abs(error - lost * line.period) <= reach(of: line)
    {
      next += lost
      add(aside.map { Tick(number: $0.number + lost, time: $0.time) })
    } else {
      ticks = []
      add(aside)
    }
    aside = []
  }

  /// From a tick to the next, in seconds, at the highest tempo.
  private static let shortest = 60 / Tempo.range.upperBound / Double(division)

  /// The tempo to go on with from another one; nil where that is right, or nothing is known yet.
  ///
  /// The beat is the song's. While the song position is unknown, it is the present one's at the
  /// moment when the clock is first known.
  mutating func tempo(after present: Tempo) -> Tempo? {
    // If the line is old, the next ticks give the tempo.
    guard aside.isEmpty, let line, let origin, let tick = ticks.last,
      line.spread <= max(0.0015, line.period * 0.15)
    else { return nil }
    let beatsPerMinute = 60 / (line.period * Double(Self.division))
    guard Tempo.range.contains(beatsPerMinute) else { return nil }
    let moment = origin + .seconds(line.time(of: tick.number))
    let offset = offset ?? present.beat(at: moment) * Double(Self.division) - tick.number
    self.offset = offset
    let beat = (tick.number + offset) / Double(Self.division)
    let isSure = ticks.count >= Self.division
    guard
      abs(beatsPerMinute / present.beatsPerMinute - 1) > (isSure ? 0.005 : 0.02)
        || abs(beat - present.beat(at: moment)) > (isSure ? 0.03 : 0.06)
    else { return nil }
    return Tempo(beatsPerMinute, from: moment - .seconds(beat * 60 / beatsPerMinute))
  }
}
