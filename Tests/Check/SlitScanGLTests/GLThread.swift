// The GL thread is a context of OpenGL without a display, and the thread that it is current on.

import CGStreamerGL

/// A context of OpenGL that all tests share.
enum GLThread {
  /// The context, nil where this machine has none.
  ///
  /// `nonisolated(unsafe)`: GStreamer's objects are made for several threads.
  nonisolated(unsafe) private static let context: UnsafeMutablePointer<GstGLContext>? = {
    // Not by the environment, which the programs that other tests start would inherit.
    gst_init(nil, nil)
    guard let display = unsafe gst_gl_display_new_with_type(GST_GL_DISPLAY_TYPE_EGL_DEVICE),
      let context = unsafe gst_gl_context_new(display)
    else { return nil }
    return unsafe gst_gl_context_create(context, nil, nil) != 0 ? context : nil
  }()

  /// Whether there is one.
  static var isThere: Bool { unsafe context != nil }

  /// A function to be called, and what it gave.
  private final class Call<Value> {
    let body: (UnsafeMutablePointer<GstGLContext>) throws -> Value
    var result: Result<Value, any Error>?

    init(_ body: @escaping (UnsafeMutablePointer<GstGLContext>) throws -> Value) {
      unsafe self.body = body
    }

    func run(_ context: UnsafeMutablePointer<GstGLContext>) {
      result = Result { unsafe try body(context) }
    }
  }

  private class AnyCall {
    let run: (UnsafeMutablePointer<GstGLContext>) -> Void

    init(_ run: @escaping (UnsafeMutablePointer<GstGLContext>) -> Void) { unsafe self.run = run }
  }

  /// Calls `body` on the thread, with the context current; nil where there is none.
  static func run<Value>(
    _ body: @escaping (UnsafeMutablePointer<GstGLContext>) throws -> Value
  ) throws -> Value? {
    guard let context = unsafe context else { return nil }
    let call = unsafe Call(body)
    let any = unsafe AnyCall { unsafe call.run($0) }
    unsafe gst_gl_context_thread_add(
      context,
      { context, data in
        guard let context, let data else { return }
        let call = unsafe Unmanaged<AnyCall>.fromOpaque(data).takeUnretainedValue()
        unsafe call.run(context)
      }, Unmanaged.passUnretained(any).toOpaque())
    return try call.result?.get()
  }
}
