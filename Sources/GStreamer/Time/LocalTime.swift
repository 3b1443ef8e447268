// The time of day, where the user is.

import CGStreamer

/// The date and time now, in the form of `strftime`.
package func localTime(_ format: String) -> String {
  guard let now = unsafe g_date_time_new_now_local() else { return "" }
  defer { unsafe g_date_time_unref(now) }
  guard let text = unsafe g_date_time_format(now, format) else { return "" }
  defer { unsafe g_free(text) }
  return unsafe String(cString: text)
}
