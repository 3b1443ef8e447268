// An OSC packet is the content of a datagram: a message, or nested bundles. A value.

/// Messages that are done together, as all of a bundle is.
struct OSCGroup: Sendable, Hashable {
  /// When; ``OSCTimeTag/immediately`` for a message outside of bundles.
  var time = OSCTimeTag.immediately
  var messages: [OSCMessage] = []
}

/// Takes datagrams apart, and puts them together.
enum OSCPacket {
  /// The greatest depth of bundles in each other.
  static let depth = 8
  /// The longest datagram that we send, so that no network cuts it up.
  static let length = 1200
  /// The most that a datagram can carry, and so a message.
  static let limit = 65_507

  private static let head = Array("#bundle\0".utf8)

  /// The messages of a datagram, by when they are to be done; nil where any of it is malformed, as half a
  /// bundle is not what was meant.
  static func groups(of bytes: [UInt8]) -> [OSCGroup]? {
    guard bytes.starts(with: head) else {
      return OSCMessage(bytes[...]).map { [OSCGroup(messages: [$0])] }
    }
    var groups: [OSCGroup] = []
    guard read(bytes[...], into: &groups, after: nil, depth: 1) else { return nil }
    return groups
  }

  /// - Parameter outer: The number of the group that the bundle lies in.
  private static func read(
    _ bundle: ArraySlice<UInt8>, into groups: inout [OSCGroup], after outer: Int?, depth: Int
  ) -> Bool {
    guard depth <= Self.depth else { return false }
    var rest = bundle.dropFirst(head.count)
    guard let time = rest.takeNumber(UInt64.self) else { return false }
    let group = place(OSCTimeTag(rawValue: time), in: &groups, after: outer)
    while !rest.isEmpty {
      guard let count = rest.takeNumber(UInt32.self).flatMap({ Int(exactly: $0) }),
        count <= rest.count
      else { return false }
      let element = rest.prefix(count)
      rest = rest.dropFirst(count)
      if element.starts(with: head) {
        guard read(element, into: &groups, after: group, depth: depth + 1) else { return false }
      } else {
        guard let message = OSCMessage(element) else { return false }
        groups[group].messages.append(message)
      }
    }
    return true
  }

  /// The group of a bundle: the one it lies in, unless it is for later.
  private static func place(_ time: OSCTimeTag, in groups: inout [OSCGroup], after outer: Int?)
    -> Int
  {
    if let outer {
      let enclosing = groups[outer].time
      if time.isImmediate || time == enclosing { return outer }
      if !enclosing.isImmediate, time.since(enclosing) <= .zero { return outer }
    }
    groups.append(OSCGroup(time: time))
    return groups.count - 1
  }

  // MARK: Putting together

  /// Messages as datagrams: one by itself as it is, several in bundles.
  static func datagrams(of messages: [OSCMessage]) -> [[UInt8]] {
    var datagrams: [[UInt8]] = []
    var bundle: [[UInt8]] = []
    var length = 0
    for message in messages {
      let bytes = message.bytes
      guard bytes.count <= limit else { continue }
      if length + bytes.count > Self.length, !bundle.isEmpty {
        datagrams.append(joined(bundle))
        bundle = []
        length = 0
      }
      bundle.append(bytes)
      length += bytes.count + 4
    }
    if !bundle.isEmpty { datagrams.append(joined(bundle)) }
    return datagrams
  }

  private static func joined(_ elements: [[UInt8]]) -> [UInt8] {
    elements.count == 1 ? elements[0] : bundle(elements, at: .immediately)
  }

  /// A bundle of messages or bundles.
  static func bundle(_ elements: [[UInt8]], at time: OSCTimeTag) -> [UInt8] {
    var bytes = head
    bytes.append(number: time.rawValue)
    for element in elements {
      bytes.append(number: UInt32(clamping: element.count))
      bytes += element
    }
    return bytes
  }
}
