// Tests of soft takeover, without a fader.

import GStreamer
import Testing

@testable import SlitScanMIDI

@Suite struct MIDIPickupTests {
  /// A property from 0 to 1, and one fader of it.
  private final class Model {
    var pickup = MIDIPickup()
    var property: Double
    let stretch: ClosedRange<Double>

    init(property: Double, stretch: ClosedRange<Double> = 0...1) {
      self.property = property
      self.stretch = stretch
    }

    /// Whether the fader moves the property.
    func move(_ place: Double, via between: Double? = nil) -> Bool {
      let may = pickup.move(
        to: place, via: between, on: stretch, from: .double(property), at: property,
        wish: .double(place))
      guard may else { return false }
      property = place
      pickup.hasMoved(to: .double(place), waitingAt: nil)
      return true
    }
  }

  @Test func aFaderThatStandsElsewhereDoesNothingUntilItPasses() {
    let model = Model(property: 0.5)
    #expect([0.1, 0.2, 0.45].allSatisfy { !model.move($0) })
    #expect(model.property == 0.5)
    // It comes past at one jump.
    #expect(model.move(0.7))
    #expect(model.move(0.1))
    #expect(model.property == 0.1)
  }

  @Test func itPassesFromAboveAndFromAStartThatIsThere() {
    let above = Model(property: 0.5)
    #expect(!above.move(0.9))
    #expect(above.move(0.4))
    let there = Model(property: 0.5)
    #expect(there.move(0.503))
  }

  @Test func anotherInputThatMovesThePropertyTakesItAway() {
    let model = Model(property: 0.5)
    #expect(model.move(0.5))
    #expect(model.move(0.6))
    model.property = 0.9
    #expect(!model.move(0.61))
    #expect(!model.pickup.isHeld)
    #expect(!model.move(0.5))
    #expect(model.move(0.95))
    // Moved away, and put under the fader.
    model.property = 0.2
    #expect(!model.move(0.94))
    model.property = 0.93
    #expect(model.move(0.93))
  }

  @Test func theLastPositionBeforeCounts() {
    #expect(Model(property: 0.5).move(0.9, via: 0.1))
    let model = Model(property: 0.5)
    #expect(!model.move(0.7, via: 0.6))
    // Past it, and back.
    #expect(model.move(0.65, via: 0.4))
  }

  @Test func aValueBeyondTheEndIsPickedUpAtTheEnd() {
    let model = Model(property: 0.9, stretch: 0.25...0.75)
    #expect(!model.move(0.5))
    #expect(!model.move(0.7))
    #expect(model.move(0.75))
    #expect(model.move(0.3))
  }

  @Test func aChangeThatWaitsForABeatKeepsThePickup() {
    var pickup = MIDIPickup()
    let move = { (place: Double) in
      pickup.move(to: place, on: 0...1, from: .nick("a"), at: 0, wish: .double(place))
    }
    #expect(move(0))
    pickup.hasMoved(to: .nick("b"), waitingAt: .nick("a"))
    #expect(move(0.5))
    pickup.hasMoved(to: .nick("b"), waitingAt: nil)
    #expect(!move(0.6))
  }

  @Test func oneOfAFewIsPickedUpWhereItsPartOfTheWayIs() {
    var pickup = MIDIPickup()
    // The middle of five choices, at the end of its fifth.
    let may = pickup.move(to: 0.59, on: 0...1, from: .nick("c"), at: 0.5, wish: .nick("c"))
    #expect(may)
  }
}
