/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* What the application is told: readings after a frame, messages, errors. */

#include "gstslitscanlock.h"
#include "gstslitscanprivate.h"

#define GST_CAT_DEFAULT gst_slit_scan_debug

void
gst_slit_scan_post_error (GstSlitScan * self, const SlitScanError * error)
{
  if (self->error_is_posted)
    return;
  self->error_is_posted = TRUE;
  if (error->code == SLIT_SCAN_ERROR_OUT_OF_MEMORY)
    GST_ELEMENT_ERROR (self, RESOURCE, NO_SPACE_LEFT, ("%s", error->message),
        (NULL));
  else
    GST_ELEMENT_ERROR (self, STREAM, FORMAT, ("%s", error->message), (NULL));
}

void
gst_slit_scan_post_not_negotiated (GstSlitScan * self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstCaps *caps;

  if (self->error_is_posted || GST_PAD_IS_FLUSHING (trans->sinkpad)
      || GST_PAD_IS_FLUSHING (trans->srcpad))
    return;
  self->error_is_posted = TRUE;
  caps = gst_pad_get_current_caps (trans->sinkpad);
  if (caps == NULL)
    GST_ELEMENT_ERROR (self, STREAM, WRONG_TYPE,
        ("slitscan scans raw video. Put decodebin and videoconvert before it."),
        ("a buffer came without caps"));
  else
    GST_ELEMENT_ERROR (self, CORE, NEGOTIATION,
        ("What slitscan makes of this video, the element after it does not "
            "take. Put videoconvert and videoscale after slitscan."),
        ("input is %" GST_PTR_FORMAT, caps));
  gst_clear_caps (&caps);
}

void
gst_slit_scan_publish (GstSlitScan * self, const GstBuffer * buffer,
    const SlitScanReport * report)
{
  GST_SLIT_SCAN_LOCK (self);
  self->last_pts = GST_BUFFER_PTS (buffer);
  self->values.readings.progress = report->progress;
  self->values.readings.history_bytes = report->history_bytes;
  self->values.readings.history_frames = report->history_frames;
  GST_SLIT_SCAN_UNLOCK (self);

  if (report->completes)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_element (GST_OBJECT (self),
            gst_structure_new ("slitscan-complete",
                "running-time", G_TYPE_UINT64, self->frame_time, NULL)));

  if (report->limited_depth != self->limited_depth
      && report->limited_depth != 0) {
    GST_ELEMENT_WARNING (self, RESOURCE, NO_SPACE_LEFT,
        ("Only %u of %u frames of history fit into max-memory; the effect goes "
            "on with these. Set a smaller depth, or raise max-memory.",
            report->limited_depth, self->frame_settings.depth), (NULL));
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_element (GST_OBJECT (self),
            gst_structure_new ("slitscan-depth-limited",
                "depth", G_TYPE_UINT, report->limited_depth,
                "wanted", G_TYPE_UINT, self->frame_settings.depth, NULL)));
  }
  self->limited_depth = report->limited_depth;
}
