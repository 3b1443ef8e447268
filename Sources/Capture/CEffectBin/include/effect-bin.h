/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* A bin that runs the effect on the GPU, and goes on with the one on the
 * processor when that fails. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* A bin with the pads sink, src and, on request, map: glupload, glcolorconvert
 * and on_gpu, an element glslitscan. When one of these fails, or the property
 * history-location is set, on_cpu takes their place with the properties that
 * on_gpu has then, on the thread that brings the frame, which is not lost. The bin posts the element message "slitscan-fallback"
 * with the field "reason" (string) then, and no error.
 *
 * Frames leave in textures or, after that, in system memory; those that come are
 * in system memory always, so that they can be read without the GPU.
 *
 * Floating; NULL where GStreamer's OpenGL plugin is not installed. The bin keeps
 * both elements. */
GstElement *effect_bin_new (const gchar * name, GstElement * on_gpu,
    GstElement * on_cpu);

G_END_DECLS
