// A parameter is one property of the effect as a control: name, range, unit and steps.

import GStreamer
import GstSlitScan
import LibC
import SlitScanCapture

/// A property of the effect that a performer can move.
///
/// Made from the element's own description of the property, which also says how far a fader of it reaches,
/// where the property itself takes far more than is useful in a show.
public struct Parameter: Sendable, Equatable {
  /// The element's description of the property.
  public let property: Property
  /// The range of its fader; nil if it is not a number.
  public let reach: ClosedRange<Double>?
  /// Whether equal ways of a fader multiply, instead of adding.
  public let isLogarithmic: Bool
  /// The unit of its numbers, such as `px`; empty for none.
  public let unit: String
  /// The title under which it is shown with others.
  public let group: String

  /// Its name, as `center-x`.
  public var name: String { property.name }

  /// The choices, if it is an enumeration.
  public var choices: [String] {
    switch property.kind {
    case .bool: ["false", "true"]
    case .choice(let nicks): nicks
    default: []
    }
  }

  init(_ property: Property, of element: Element) {
    func note(_ name: String) -> String? { element.note(name, of: property.name) }
    self.property = property
    unit = note(GST_SLIT_SCAN_UNIT) ?? ""
    group = note(GST_SLIT_SCAN_GROUP) ?? ""
    let fader = (note(GST_SLIT_SCAN_FADER) ?? "").split(separator: " ")
    let ends = fader.prefix(2).compactMap { Double($0) }
    reach = property.kind.range.map { ends.count == 2 ? (ends[0]...ends[1]).clamped(to: $0) : $0 }
    isLogarithmic = fader.last == "logarithmic"
  }

  // MARK: Faders

  /// The value at a place of a fader, from 0 to 1; places outside are brought inside.
  ///
  /// Of a few choices, each has as much of the way as the others. Nil for text.
  public func value(at place: Double) -> Value? {
    guard place.isFinite else { return nil }
    let place = min(max(place, 0), 1)
    guard let reach else {
      guard !choices.isEmpty else { return nil }
      let index = min(Int(place * Double(choices.count)), choices.count - 1)
      return property.kind == .bool ? .bool(index == 1) : .nick(choices[index])
    }
    let number: Double
    if isLogarithmic {
      number = reach.lowerBound * pow(reach.upperBound / reach.lowerBound, place)
    } else {
      number = reach.lowerBound + (reach.upperBound - reach.lowerBound) * place
    }
    return value(near: number)
  }

  /// The place of a value on a fader, from 0 to 1; nil for text.
  public func place(of value: Value) -> Double? {
    guard let reach else {
      guard !choices.isEmpty, let text = String(from: value) ?? Bool(from: value).map({ "\($0)" }),
        let index = choices.firstIndex(of: text)
      else { return nil }
      return choices.count < 2 ? 0 : Double(index) / Double(choices.count - 1)
    }
    guard let number = Self.number(value) else { return nil }
    let inside = min(max(number, reach.lowerBound), reach.upperBound)
    guard reach.upperBound > reach.lowerBound else { return 0 }
    return isLogarithmic
      ? log(inside / reach.lowerBound) / log(reach.upperBound / reach.lowerBound)
      : (inside - reach.lowerBound) / (reach.upperBound - reach.lowerBound)
  }

  /// The value that is nearest to a number, in the property's own type and range; nil for what is no
  /// number.
  public func value(near number: Double) -> Value? {
    guard !number.isNaN, let range = property.kind.range else { return nil }
    let inside = min(max(number, range.lowerBound), range.upperBound)
    switch property.kind {
    case .integer(let range): return .int(Self.whole(inside, in: range))
    case .natural(let range): return .uint(Self.whole(inside, in: range))
    default: return .double(inside)
    }
  }

  private static func whole<Number: FixedWidthInteger>(
    _ number: Double, in range: ClosedRange<Number>
  ) -> Number {
    // The ends of 64 bits are no exact fractions.
    if number >= Double(range.upperBound) { return range.upperBound }
    if number <= Double(range.lowerBound) { return range.lowerBound }
    return Number(number.rounded())
  }

  /// The value at a place between two others, by the way of the fader; one of the two, where the property
  /// has no fader or cannot move evenly.
  func value(at place: Double, from first: Value, to second: Value) -> Value {
    guard property.isControllable, let start = self.place(of: first),
      let end = self.place(of: second), choices.isEmpty, place > 0, place < 1
    else { return place < 0.5 ? first : second }
    return value(at: start + (end - start) * place) ?? first
  }

  /// A value as a number; nil for what is none.
  public static func number(_ value: Value) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  // MARK: What comes from outside

  /// A value from outside as the property's own.
  ///
  /// Whole numbers are taken for numbers with a fraction and the other way round, numbers and words for
  /// switches, and words for numbers. A number outside of the property's range becomes the nearest one
  /// inside.
  ///
  /// - Throws: ``StageError/Code/badValue``, which says what it can be.
  public func fit(_ value: Value) throws(StageError) -> Value {
    switch property.kind {
    case .bool:
      if let flag = Self.flag(value) { return .bool(flag) }
    case .choice(let nicks):
      if let text = String(from: value), nicks.contains(text) { return .nick(text) }
      if let number = Self.number(value), let index = Int(exactly: number),
        nicks.indices.contains(index)
      {
        return .nick(nicks[index])
      }
    case .integer, .natural, .number:
      let number = Self.number(value) ?? String(from: value).flatMap { self.number($0) }
      if let number, number.isFinite, let fitting = self.value(near: number) { return fitting }
    case .text:
      // A script writes no text as "", and the name of a file may be a number.
      switch value {
      case .none, .string, .nick, .int, .uint, .double:
        let text = Self.text(value)
        return text.isEmpty ? .none : .string(text)
      default: break
      }
    case .other: break
    }
    throw StageError(
      .badValue, "\(name) must be \(description), not \(Self.text(value)).")
  }

  /// The number that text stands for, also text with a unit such as `5s`.
  private func number(_ text: String) -> Double? {
    PropertyUnit(rawValue: unit)?.number(text).map { Double($0) } ?? Double(text)
  }

  private static func flag(_ value: Value) -> Bool? {
    if let flag = Bool(from: value) { return flag }
    if let number = number(value) { return number == 0 ? false : number == 1 ? true : nil }
    return String(from: value).flatMap {
      ["true": true, "on": true, "1": true, "false": false, "off": false, "0": false][$0]
    }
  }

  /// Whether other machines may move it: they have no say in files, nor in how much memory or disk may be used.
  public var isForEverybody: Bool {
    switch property.kind {
    case .text, .other: false
    default: !["max-memory", "max-disk", "reserve"].contains(name)
    }
  }

  /// The possible values, in words.
  public var description: String { PropertyUnit(rawValue: unit)?.words ?? property.kind.words }

  /// A value as people read it, with its unit: `5s` for 5,000,000,000 nanoseconds.
  public func text(of value: Value) -> String {
    guard case .uint(let number) = value, let propertyUnit = PropertyUnit(rawValue: unit) else {
      return Self.text(value)
    }
    return propertyUnit.text(number)
  }

  /// A value as displays show it: with its unit, and with no more digits than a key can change.
  public func words(of value: Value) -> String {
    switch value {
    case .bool(let flag): return flag ? "on" : "off"
    case .double(let number):
      return Self.text(.double((number * 1e4).rounded() / 1e4)) + suffix
    case .uint(let time) where PropertyUnit(rawValue: unit) == .time && time > 10_000_000:
      return text(of: .uint((time + 500_000) / 1_000_000 * 1_000_000))
    default: return text(of: value) + suffix
    }
  }

  private var suffix: String {
    unit.isEmpty || PropertyUnit(rawValue: unit) != nil ? "" : unit == "°" ? "°" : " \(unit)"
  }

  /// A value as people and files write it.
  public static func text(_ value: Value) -> String {
    switch value {
    case .none: ""
    case .other(_, let text): text
    default: value.text
    }
  }
}

extension Property.Kind {
  /// The range of numbers; nil for what is none.
  package var range: ClosedRange<Double>? {
    switch self {
    case .integer(let range): Double(range.lowerBound)...Double(range.upperBound)
    case .natural(let range): Double(range.lowerBound)...Double(range.upperBound)
    case .number(let range): range
    default: nil
    }
  }
}
