// Caps describe the media formats that a pad can carry, or carries.

import CGStreamer

/// The kinds of media that pass a pad: one, or several to choose from.
///
/// ```swift
/// let caps = try Caps("video/x-raw, format=GRAY8, width=320, height=240, framerate=30/1")
/// ```
///
/// Never changes. Equal caps need not be written alike.
public struct Caps: Sendable, Equatable, CustomStringConvertible {
  let object: MiniObject

  init(_ object: MiniObject) { self.object = object }

  /// Caps as they are written in a launch line.
  ///
  /// - Throws: ``GStreamerError/Code/invalidDescription``, ``GStreamerError/Code/notStarted``.
  public init(_ description: String) throws(GStreamerError) {
    try Runtime.start()
    guard let caps = unsafe gst_caps_from_string(description) else {
      throw GStreamerError(.invalidDescription, "These are not valid caps: \(description)")
    }
    unsafe object = MiniObject(taking: caps)
  }

  /// Caps of one structure.
  ///
  /// - Throws: ``GStreamerError/Code/invalidDescription`` where a name or value is none that caps
  ///   can have.
  public init(_ structure: Structure) throws(GStreamerError) {
    try Runtime.start()
    guard let foreign = unsafe structure.makeGstStructure(), let caps = unsafe gst_caps_new_empty()
    else {
      throw GStreamerError(
        .invalidDescription, "This is not a valid structure of caps: \(structure)")
    }
    unsafe gst_caps_append_structure(caps, foreign)
    unsafe object = MiniObject(taking: caps)
  }

  /// The kinds to choose from, best first.
  public var structures: [Structure] {
    unsafe withGstCaps { caps in
      unsafe (0..<gst_caps_get_size(caps)).compactMap { index in
        unsafe gst_caps_get_structure(caps, index).map { unsafe Structure(copying: $0) }
      }
    }
  }

  /// The same media as bytes in memory.
  ///
  /// For buffers of textures, which GStreamer's OpenGL library downloads when they are mapped.
  package var inMemory: Caps {
    unsafe withGstCaps { caps in
      guard unsafe cgst_caps_are_in_memory(caps) == 0, let copy = unsafe cgst_caps_in_memory(caps)
      else { return self }
      return unsafe Caps(MiniObject(taking: copy))
    }
  }

  /// Whether every value is one, not a range or a choice: what a stream has.
  public var isFixed: Bool { unsafe withGstCaps { unsafe gst_caps_is_fixed($0) != 0 } }

  /// Whether something is in both.
  public func intersects(_ other: Caps) -> Bool {
    unsafe withGstCaps { caps in
      unsafe other.withGstCaps { unsafe gst_caps_can_intersect(caps, $0) != 0 }
    }
  }

  /// Whether all of these are in `other`, too.
  public func isSubset(of other: Caps) -> Bool {
    unsafe withGstCaps { caps in
      unsafe other.withGstCaps { unsafe gst_caps_is_subset(caps, $0) != 0 }
    }
  }

  /// As a launch line has them.
  public var description: String {
    unsafe withGstCaps { unsafe ownedString(gst_caps_to_string($0)) ?? "" }
  }

  /// Whether both allow the same.
  public static func == (left: Caps, right: Caps) -> Bool {
    unsafe left.object.isSame(as: right.object)
      || left.withGstCaps { caps in
        unsafe right.withGstCaps { unsafe gst_caps_is_equal(caps, $0) != 0 }
      }
  }

  func withGstCaps<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<GstCaps>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try object.withPointer { (pointer) throws(Failure) in
      try unsafe body(pointer.assumingMemoryBound(to: GstCaps.self))
    }
  }
}
