// Lists the objects that GStreamer's leaks tracer finds alive.

import CGStreamer
import Foundation
import GStreamer

/// The GStreamer objects that leaked, in a process of its own that sets
/// `GST_TRACERS` to `leaks` before GStreamer starts.
///
/// From ``begin()`` to ``leaks()``: what was made before, such as the descriptions of elements at their first
/// use, belongs to GStreamer and stays.
public enum LeakChecker {
  /// The tracer is not there, or does not work.
  public struct Unavailable: Error, CustomStringConvertible {
    /// In a sentence.
    public let description: String
  }

  /// Counts from now on.
  ///
  /// - Throws: ``Unavailable`` where there is no tracer.
  public static func begin() throws {
    try settle()
    // The first element makes objects that its factory keeps.
    _ = try makeWitness()
    try tracer().emit("activity-start-tracking")
  }

  /// The types of the objects that were made since ``begin()`` and stay.
  ///
  /// - Parameter looks: The most looks, 10 ms apart, until there are none.
  /// - Throws: ``Unavailable`` where the tracer did not see one that is there.
  public static func leaks(looks: Int = 2000) throws -> [String] {
    try settle()
    // Addresses are used again.
    var counts: [String: Int] = [:]
    var left = try objectsThere(&counts)
    // A thread of GStreamer that ends a change of state may be the last to release a bin.
    for _ in 1..<looks where !left.isEmpty {
      usleep(10_000)
      left = try objectsThere(&counts)
    }
    return left
  }

  /// - Parameter counts: The objects that were found before: the tracer tells of each object once.
  private static func objectsThere(_ counts: inout [String: Int]) throws -> [String] {
    let witness = try makeWitness()
    guard case .structure(let activity) = try tracer().emit("activity-get-checkpoint") else {
      throw Unavailable(description: "The tracer does not answer.")
    }
    withExtendedLifetime(witness) {}
    for object in objects(activity, "objects-created-list") { counts[object, default: 0] += 1 }
    for object in objects(activity, "objects-removed-list") { counts[object, default: 0] -= 1 }
    var left = counts.filter { $0.value > 0 }.keys.map { String($0.prefix { $0 != " " }) }.sorted()
    for type in ["GstFakeSink", "GstPad"] {
      guard let index = left.firstIndex(of: type) else {
        throw Unavailable(description: "The tracer does not see a \(type) that is there.")
      }
      left.remove(at: index)
    }
    return left
  }

  /// An element with one pad, which the tracer must see.
  private static func makeWitness() throws -> Element { try Element("fakesink") }

  /// Type and address of each in a list of the tracer's.
  private static func objects(_ activity: Structure, _ list: String) -> [String] {
    guard case .array(let objects)? = activity.fields[list] else { return [] }
    return objects.map { object in
      guard case .structure(let facts) = object else { return "?" }
      return "\(facts.get("type-name") ?? "?") \(facts.get("address") ?? "?")"
    }
  }

  /// Waits for pipelines that were released, which stop on their own threads.
  private static func settle() throws { while try hasControlThreads() { usleep(10_000) } }

  private static func hasControlThreads() throws -> Bool {
    let tasks = "/proc/self/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).contains { task in
      let name = try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
      return name == Pipeline.threadName + "\n"
    }
  }

  private static func tracer() throws -> Element {
    try Runtime.start()
    let tracers = unsafe gst_tracing_get_active_tracers()
    defer { unsafe g_list_free_full(tracers, { unsafe gst_object_unref($0) }) }
    guard let tracer = unsafe tracers?.pointee.data else {
      throw Unavailable(description: "There is no tracer. Set GST_TRACERS to leaks.")
    }
    return unsafe Element(retaining: tracer)
  }
}
