// Contexts: what elements share that is not media, as the display of OpenGL.

import CGStreamer

/// Something that elements of several pipelines can share: `GstContext`.
package struct Context: Sendable {
  let object: MiniObject

  /// Its type, as `gst.gl.GLDisplay`.
  package var type: String {
    unsafe object.withPointer { context in
      unsafe borrowedString(gst_context_get_context_type(OpaquePointer(context))) ?? ""
    }
  }
}

extension Element {
  /// The contexts that it has, or that elements in it have found.
  package var contexts: [Context] {
    unsafe withGstElement { element in
      let list = unsafe gst_element_get_contexts(element)
      defer { unsafe g_list_free(list) }
      return unsafe items(of: list) { unsafe Context(object: MiniObject(taking: $0)) }
    }
  }

  /// Offers a context to it, and to those in it.
  package func offer(_ context: Context) {
    unsafe withGstElement { element in
      unsafe context.object.withPointer {
        unsafe gst_element_set_context(element, OpaquePointer($0))
      }
    }
  }
}
