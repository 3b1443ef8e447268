// OpenGL for tests.

import ElementUnderTest
import GStreamer
import LibC

/// OpenGL in software, which needs no display.
package let hasGL: Bool = {
  setenv("GST_GL_PLATFORM", "egl", 0)
  setenv("GST_GL_WINDOW", "egl-device", 0)
  return ElementUnderTest.isRegistered && Element.isInstalled("glslitscan")
}()
