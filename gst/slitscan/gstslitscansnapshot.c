/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The signals `snapshot`, a copy of the last output, and `input-frame`, one of a
 * frame in history. The output went downstream with its buffer, so it is drawn
 * again from what the effect holds. Where the effect goes on without an output,
 * with a frame that is late or with other caps, the last output is kept before,
 * in the kind of memory that it is in. Only who asks has it copied to system
 * memory. */

#include "gstslitscanprivate.h"

/* After a late frame there are often more. So many outputs are copied as they
 * leave, since a copy costs less than to draw an output again. */
#define OUTPUTS_COPIED 8

/* A sample of a buffer, which is taken over. NULL if that is NULL. */
static GstSample *
make_sample (GstBuffer * buffer, const GstVideoInfo * info, GstClockTime pts)
{
  g_autoptr (GstBuffer) taken = buffer;
  g_autoptr (GstCaps) caps = NULL;

  if (buffer == NULL)
    return NULL;
  GST_BUFFER_PTS (buffer) = pts;
  caps = gst_video_info_to_caps (info);
  return gst_sample_new (buffer, caps, NULL, NULL);
}

/* The last output drawn again. NULL if there is none or it is not of this
 * kind. */
static GstSample *
redraw (GstSlitScan * self, const GstVideoInfo * info, GstClockTime pts)
{
  if (GST_VIDEO_INFO_FORMAT (info) == GST_VIDEO_FORMAT_UNKNOWN)
    return NULL;
  return make_sample (self->engine_class->redraw (self->engine, info, NULL),
      info, pts);
}

/* The same in system memory. NULL if that cannot be. */
static GstSample *
download (GstSample * sample)
{
  GstBuffer *source = gst_sample_get_buffer (sample);
  GstBuffer *buffer;
  GstVideoInfo info;
  GstVideoFrame from, to;
  gboolean is_copied = FALSE;

  if (!gst_video_info_from_caps (&info, gst_sample_get_caps (sample)))
    return NULL;
  buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);
  if (buffer == NULL)
    return NULL;
  if (gst_video_frame_map (&from, &info, source, GST_MAP_READ)) {
    if (gst_video_frame_map (&to, &info, buffer, GST_MAP_WRITE)) {
      is_copied = gst_video_frame_copy (&to, &from);
      gst_video_frame_unmap (&to);
    }
    gst_video_frame_unmap (&from);
  }
  if (!is_copied)
    gst_clear_buffer (&buffer);
  return make_sample (buffer, &info, GST_BUFFER_PTS (source));
}

/* Keeps the last output: this one, or, without one, what is drawn again. */
static void
keep (GstSlitScan * self, GstBuffer * output)
{
  GstVideoInfo info;
  GstClockTime pts;
  GstSample *kept;

  GST_OBJECT_LOCK (self);
  info = self->scan_info;
  pts = self->last_pts;
  GST_OBJECT_UNLOCK (self);
  kept = output != NULL
      ? make_sample (gst_buffer_copy_deep (output), &info, pts)
      : redraw (self, &info, pts);

  GST_OBJECT_LOCK (self);
  self->output_is_kept = TRUE;
  self->kept_output = kept;
  self->kept_count++;
  GST_OBJECT_UNLOCK (self);
}

void
gst_slit_scan_snapshot_before_change (GstSlitScan * self)
{
  /* Only this thread changes it. */
  if (!self->output_is_kept)
    keep (self, NULL);
}

void
gst_slit_scan_snapshot_before_late (GstSlitScan * self)
{
  gst_slit_scan_snapshot_before_change (self);
  self->stream.outputs_to_copy = OUTPUTS_COPIED;
}

void
gst_slit_scan_snapshot_follow (GstSlitScan * self, GstBuffer * output)
{
  if (self->stream.outputs_to_copy == 0)
    return;
  self->stream.outputs_to_copy--;
  keep (self, output);
}

GstSample *
gst_slit_scan_snapshot_steal_kept (GstSlitScan * self)
{
  self->output_is_kept = FALSE;
  return g_steal_pointer (&self->kept_output);
}

void
gst_slit_scan_snapshot_clear (GstSlitScan * self)
{
  GstSample *kept;

  GST_OBJECT_LOCK (self);
  kept = gst_slit_scan_snapshot_steal_kept (self);
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&kept, gst_sample_unref);
}

GstSample *
gst_slit_scan_snapshot (GstSlitScan * self)
{
  for (;;) {
    g_autoptr (GstSample) output = NULL;
    GstVideoInfo info;
    GstClockTime pts;
    gboolean is_last;
    guint count;

    GST_OBJECT_LOCK (self);
    is_last = self->output_is_kept;
    if (self->kept_output != NULL)
      output = gst_sample_ref (self->kept_output);
    info = self->scan_info;
    pts = self->last_pts;
    count = self->kept_count;
    GST_OBJECT_UNLOCK (self);
    if (!is_last) {
      output = redraw (self, &info, pts);
      /* If an output was kept meanwhile, this may be drawn from later frames. */
      GST_OBJECT_LOCK (self);
      is_last = self->kept_count == count;
      GST_OBJECT_UNLOCK (self);
    }
    if (is_last)
      return output != NULL ? download (output) : NULL;
  }
}

GstSample *
gst_slit_scan_input_frame (GstSlitScan * self, guint64 from)
{
  guint64 time = gst_slit_scan_effect_time (from);
  g_autoptr (GstSample) frame = NULL;
  GstBuffer *buffer;
  GstVideoInfo info;

  GST_OBJECT_LOCK (self);
  info = self->input_info;
  GST_OBJECT_UNLOCK (self);
  if (GST_VIDEO_INFO_FORMAT (&info) == GST_VIDEO_FORMAT_UNKNOWN)
    return NULL;
  buffer = self->engine_class->redraw (self->engine, &info, &time);
  frame = make_sample (buffer, &info, time - GST_SLIT_SCAN_EPOCH);
  return frame != NULL ? download (frame) : NULL;
}
