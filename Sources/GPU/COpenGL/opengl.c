/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The loader of OpenGL's functions from a GstGLContext. */

#include "opengl.h"

#include <gst/gl/gl.h>

bool
opengl_load (OpenGL * gl, void *context)
{
#define LOAD(TYPE, Name) \
  gl->Name = (PFNGL##TYPE##PROC) gst_gl_context_get_proc_address (context, \
      "gl" #Name);
#define IS_THERE(TYPE, Name) && gl->Name != NULL
  OPENGL_FUNCTIONS (LOAD);
  return true OPENGL_FUNCTIONS (IS_THERE);
}

bool
opengl_is_es (void *context)
{
  return gst_gl_context_get_gl_api (context) & GST_GL_API_GLES2;
}

bool
opengl_is_new_enough (void *context)
{
  return opengl_is_es (context)
      ? gst_gl_context_check_gl_version (context, GST_GL_API_GLES2, 3, 0)
      : gst_gl_context_check_gl_version (context,
      GST_GL_API_OPENGL | GST_GL_API_OPENGL3, 3, 3);
}

/* Of GL_NVX_gpu_memory_info and GL_ATI_meminfo; both count in KiB. */
#define DEDICATED_VIDMEM_NVX 0x9047
#define TEXTURE_FREE_MEMORY_ATI 0x87FC

uint64_t
opengl_memory (const OpenGL * gl, void *context)
{
  GLint memory[4] = { 0 };

  if (gst_gl_context_check_feature (context, "GL_NVX_gpu_memory_info"))
    gl->GetIntegerv (DEDICATED_VIDMEM_NVX, memory);
  else if (gst_gl_context_check_feature (context, "GL_ATI_meminfo"))
    gl->GetIntegerv (TEXTURE_FREE_MEMORY_ATI, memory);
  return memory[0] > 0 ? (uint64_t) memory[0] << 10 : 0;
}
