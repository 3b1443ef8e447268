/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The signal `snapshot`: a copy of the last output. The output went
 * downstream with its buffer, so it is drawn again from what the effect holds.
 * Where the effect goes on without an output, with a frame that is late or
 * with other caps, the last output is copied before. */

#include "gstslitscanprivate.h"

/* After a late frame there are often more. So many outputs are copied as they
 * leave, since a copy costs less than to draw an output again. */
#define OUTPUTS_COPIED 8

/* From whatever kind of memory. */
static gboolean
copy_frame (const GstSlitScanFrame * copy, const GstSlitScanFrame * original)
{
  GstVideoFrame to, from;
  gboolean is_copied = FALSE;

  if (!gst_video_frame_map (&from, original->info, original->buffer,
          GST_MAP_READ))
    return FALSE;
  if (gst_video_frame_map (&to, copy->info, copy->buffer, GST_MAP_WRITE)) {
    is_copied = gst_video_frame_copy (&to, &from);
    gst_video_frame_unmap (&to);
  }
  gst_video_frame_unmap (&from);
  return is_copied;
}

/* A copy of an output, or, without one, the last output drawn again. NULL if
 * there is none or it is not of this kind. */
static GstSample *
gst_slit_scan_snapshot_make (GstSlitScan * self, const GstVideoInfo * info,
    GstClockTime pts, const GstSlitScanFrame * output)
{
  GstSlitScanFrame frame = { NULL, info };
  GstBuffer *buffer;
  GstCaps *caps;
  GstSample *sample;
  gboolean is_made;

  if (GST_VIDEO_INFO_FORMAT (info) == GST_VIDEO_FORMAT_UNKNOWN)
    return NULL;
  buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);
  if (buffer == NULL)
    return NULL;

  frame.buffer = buffer;
  is_made = output != NULL ? copy_frame (&frame, output)
      : self->engine_class->redraw (self->engine, &frame);
  if (!is_made) {
    gst_buffer_unref (buffer);
    return NULL;
  }
  GST_BUFFER_PTS (buffer) = pts;
  caps = gst_video_info_to_caps (info);
  sample = gst_sample_new (buffer, caps, NULL, NULL);
  gst_caps_unref (caps);
  gst_buffer_unref (buffer);
  return sample;
}

/* Keeps the last output: this one, or, without one, what is drawn again. */
static void
gst_slit_scan_snapshot_keep (GstSlitScan * self,
    const GstSlitScanFrame * output)
{
  GstVideoInfo info;
  GstClockTime pts;
  GstSample *sample;

  GST_OBJECT_LOCK (self);
  info = self->scan_info;
  pts = self->last_pts;
  GST_OBJECT_UNLOCK (self);
  sample = gst_slit_scan_snapshot_make (self, &info, pts, output);

  GST_OBJECT_LOCK (self);
  self->output_is_kept = TRUE;
  self->kept_output = sample;
  self->kept_count++;
  GST_OBJECT_UNLOCK (self);
}

void
gst_slit_scan_snapshot_before_change (GstSlitScan * self)
{
  /* Only this thread changes it. */
  if (!self->output_is_kept)
    gst_slit_scan_snapshot_keep (self, NULL);
}

void
gst_slit_scan_snapshot_before_late (GstSlitScan * self)
{
  gst_slit_scan_snapshot_before_change (self);
  self->stream.outputs_to_copy = OUTPUTS_COPIED;
}

void
gst_slit_scan_snapshot_follow (GstSlitScan * self,
    const GstSlitScanFrame * output)
{
  if (self->stream.outputs_to_copy == 0)
    return;
  self->stream.outputs_to_copy--;
  gst_slit_scan_snapshot_keep (self, output);
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
    GstSample *sample = NULL;
    GstVideoInfo info;
    GstClockTime pts;
    gboolean is_kept, is_last;
    guint count;

    GST_OBJECT_LOCK (self);
    is_kept = self->output_is_kept;
    if (self->kept_output != NULL)
      sample = gst_sample_ref (self->kept_output);
    info = self->scan_info;
    pts = self->last_pts;
    count = self->kept_count;
    GST_OBJECT_UNLOCK (self);
    if (is_kept)
      return sample;

    sample = gst_slit_scan_snapshot_make (self, &info, pts, NULL);
    /* If an output was kept meanwhile, this may be drawn from later frames. */
    GST_OBJECT_LOCK (self);
    is_last = self->kept_count == count;
    GST_OBJECT_UNLOCK (self);
    if (is_last)
      return sample;
    g_clear_pointer (&sample, gst_sample_unref);
  }
}
