// A steady clock is the time that waits, glides, tempos and limits go by.

/// A clock whose instants are those of the continuous clock.
///
/// Code that waits, repeats or times out takes one. It is the continuous clock unless a test gives a ``ManualClock``.
/// The instants of all steady clocks are of one type, so values such as a tempo hold them without being generic.
///
/// ```swift
/// func blink(on clock: any SteadyClock = ContinuousClock()) async throws {
///   while true { try await clock.sleep(for: .seconds(1)) }
/// }
/// ```
public protocol SteadyClock: Clock<Duration> where Instant == ContinuousClock.Instant {}

extension ContinuousClock: SteadyClock {}
