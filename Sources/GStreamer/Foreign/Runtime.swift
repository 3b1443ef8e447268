// The runtime initializes GStreamer, once a process.

import CGStreamer

/// GStreamer as it is installed here.
public enum Runtime {
  /// The error with which GStreamer did not start, nil if it did.
  ///
  /// The first look starts it, which reads the registry of plugins: once a process, milliseconds to
  /// (where the registry must be made first) seconds.
  static let failure: GStreamerError? = {
    var error: UnsafeMutablePointer<GError>?
    guard unsafe gst_init_check(nil, nil, &error) == 0 else { return nil }
    let reason = unsafe GStreamerError.taking(error, source: nil, debug: nil)
    return GStreamerError(.notStarted, "GStreamer does not start: \(reason.message)")
  }()

  /// Starts GStreamer, if it is not running yet.
  ///
  /// Everything in this module does so by itself; call it where the time that takes is welcome.
  ///
  /// - Throws: ``GStreamerError/Code/notStarted``.
  public static func start() throws(GStreamerError) {
    if let failure { throw failure }
  }

  /// The version that is running, as `1.22.0`.
  public static var version: String {
    var (major, minor, micro, nano) = (guint(0), guint(0), guint(0), guint(0))
    unsafe gst_version(&major, &minor, &micro, &nano)
    return "\(major).\(minor).\(micro)"
  }
}
