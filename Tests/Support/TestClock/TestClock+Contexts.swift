// A test clock as a context: what an element takes that has a clock of its own beside the pipeline's.

import CGStreamer

extension TestClock {
  /// Gives an element, or those in a bin, the clock as the field `clock` of a context.
  package func offer(as type: String, to element: UnsafeMutablePointer<GstElement>) {
    let context = unsafe gst_context_new(type, 1)
    var value = GValue()
    unsafe g_value_init(&value, gst_clock_get_type())
    unsafe g_value_set_object(&value, base)
    unsafe gst_structure_set_value(gst_context_writable_structure(context), "clock", &value)
    unsafe g_value_unset(&value)
    unsafe gst_element_set_context(element, context)
    unsafe gst_context_unref(context)
  }
}
