/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The live map: connects the pad `map` to the element and passes its frames to
 * the effect. */

#include "gstslitscanprivate.h"

#define GST_CAT_DEFAULT gst_slit_scan_debug

/* -- the pad -------------------------------------------------------------- */

/* Tells the pad the state of the video, from the pauses. Called with the map's
 * lock. */
static void
tell_map_pad (GstSlitScan * self)
{
  GstSlitScanMainStream main_stream = GST_SLIT_SCAN_MAIN_STREAM_CONTINUES;
  GstSlitScanPause pause = self->map.pause;

  if (pause & GST_SLIT_SCAN_PAUSE_STOPPED)
    main_stream = GST_SLIT_SCAN_MAIN_STREAM_IS_STOPPED;
  else if (pause & GST_SLIT_SCAN_PAUSE_ENDED)
    main_stream = GST_SLIT_SCAN_MAIN_STREAM_IS_OVER;
  else if (pause != 0)
    main_stream = GST_SLIT_SCAN_MAIN_STREAM_IS_FLUSHED;
  if (self->map.pad != NULL)
    gst_slit_scan_map_pad_set_main_stream (self->map.pad, main_stream);
}

GstPad *
gst_slit_scan_request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * name, const GstCaps * caps)
{
  GstSlitScan *self = GST_SLIT_SCAN (element);
  GstPad *pad;
  gboolean is_first;

  if (template->direction == GST_PAD_SRC)
    return gst_slit_scan_ages_request_pad (self, template);
  pad = gst_object_ref_sink (g_object_new (GST_TYPE_SLIT_SCAN_MAP_PAD,
          "name", "map", "direction", GST_PAD_SINK, "template", template,
          NULL));
  g_mutex_lock (&self->map.lock);
  is_first = self->map.pad == NULL;
  if (is_first) {
    self->map.pad = GST_SLIT_SCAN_MAP_PAD (pad);
    tell_map_pad (self);
  }
  g_mutex_unlock (&self->map.lock);

  if (!is_first) {
    GST_WARNING_OBJECT (self, "there is a pad map already");
    gst_object_unref (pad);
    return NULL;
  }
  if (GST_STATE (element) > GST_STATE_READY
      || GST_STATE_NEXT (element) == GST_STATE_PAUSED)
    gst_pad_set_active (pad, TRUE);
  gst_element_add_pad (element, pad);
  return pad;
}

void
gst_slit_scan_release_pad (GstElement * element, GstPad * pad)
{
  GstSlitScan *self = GST_SLIT_SCAN (element);
  g_autoptr (GstSlitScanMapPad) map_pad = NULL;

  if (GST_PAD_IS_SRC (pad)) {
    gst_slit_scan_ages_release_pad (self, pad);
    return;
  }
  g_mutex_lock (&self->map.lock);
  if (GST_PAD (self->map.pad) == pad)
    map_pad = g_steal_pointer (&self->map.pad);
  g_mutex_unlock (&self->map.lock);
  if (map_pad == NULL)
    return;

  gst_slit_scan_map_pad_set_main_stream (map_pad,
      GST_SLIT_SCAN_MAIN_STREAM_IS_STOPPED);
  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (element, pad);
}

static GstSlitScanMapPad *
ref_map_pad (GstSlitScan * self)
{
  GstSlitScanMapPad *pad;

  g_mutex_lock (&self->map.lock);
  pad = self->map.pad != NULL ? gst_object_ref (self->map.pad) : NULL;
  g_mutex_unlock (&self->map.lock);
  return pad;
}

gboolean
gst_slit_scan_live_is_linked (GstSlitScan * self)
{
  g_autoptr (GstSlitScanMapPad) pad = ref_map_pad (self);

  return pad != NULL && gst_pad_is_linked (GST_PAD (pad));
}

void
gst_slit_scan_live_set_pause (GstSlitScan * self, GstSlitScanPause reasons,
    gboolean are_there)
{
  g_mutex_lock (&self->map.lock);
  if (are_there)
    self->map.pause |= reasons;
  else
    self->map.pause &= ~reasons;
  tell_map_pad (self);
  g_mutex_unlock (&self->map.lock);
}

/* TRUE if upstream of a pad can seek. */
static gboolean
is_seekable (GstPad * pad, GstFormat format)
{
  g_autoptr (GstQuery) query = gst_query_new_seeking (format);
  gboolean seekable = FALSE;

  if (gst_pad_peer_query (pad, query))
    gst_query_parse_seeking (query, NULL, &seekable, NULL, NULL);
  return seekable;
}

/* Until the video starts anew, by what it does with a flush, it takes no maps:
 * they are for the frames after the seek. */
void
gst_slit_scan_live_seek (GstSlitScan * self, GstEvent * event)
{
  g_autoptr (GstSlitScanMapPad) pad = ref_map_pad (self);
  GstFormat format;
  GstSeekFlags flags;

  gst_event_parse_seek (event, NULL, &format, &flags, NULL, NULL, NULL, NULL);
  /* Else the map would start anew, and the video go on. */
  if (pad == NULL || !is_seekable (GST_BASE_TRANSFORM (self)->sinkpad, format))
    return;
  if (flags & GST_SEEK_FLAG_FLUSH)
    gst_slit_scan_live_set_pause (self, GST_SLIT_SCAN_PAUSE_SEEKING, TRUE);
  gst_pad_push_event (GST_PAD (pad), gst_event_ref (event));
}

/* -- liveness ------------------------------------------------------------- */

void
gst_slit_scan_live_forget_liveness (GstSlitScan * self)
{
  g_mutex_lock (&self->map.lock);
  self->map.liveness_is_known = FALSE;
  g_mutex_unlock (&self->map.lock);
}

/* TRUE if a frame may wait for its map: not if that makes it late, which it
 * does where the video is live. The pad itself knows of its own branch.
 * Without an answer, nothing waits, and the next frame asks again. */
static gboolean
awaits_map (GstSlitScan * self)
{
  gboolean is_known;
  gboolean is_live = TRUE;

  /* Whatever changes from here on is asked for again. */
  g_mutex_lock (&self->map.lock);
  is_known = self->map.liveness_is_known;
  self->map.liveness_is_known = TRUE;
  g_mutex_unlock (&self->map.lock);
  if (is_known)
    return self->map.is_awaited;

  if (!gst_slit_scan_map_pad_query_liveness (GST_BASE_TRANSFORM (self)->sinkpad,
          &is_live))
    gst_slit_scan_live_forget_liveness (self);
  self->map.is_awaited = !is_live;
  return self->map.is_awaited;
}

/* -- frames of the map ---------------------------------------------------- */

void
gst_slit_scan_live_stop (GstSlitScan * self)
{
  if (self->map.followed_pad == NULL)
    return;
  gst_slit_scan_forget_map (self, SLIT_SCAN_MAP_LIVE);
  gst_clear_buffer (&self->map.buffer);
  gst_clear_object (&self->map.followed_pad);
}

void
gst_slit_scan_live_follow (GstSlitScan * self)
{
  g_autoptr (GstSlitScanMapPad) pad = ref_map_pad (self);
  gboolean is_seen =
      slit_scan_map_source (self->stream.settings.map) == SLIT_SCAN_SOURCE_PAD;
  gboolean may_wait = TRUE;
  GstSlitScanMapPadCounts counts;
  GstSlitScanFrame frame;
  SlitScanError error;

  if (pad != self->map.followed_pad) {
    /* Video that is going on does not stand still for a new pad. */
    may_wait = !self->stream.last_frame.is_known;
    gst_slit_scan_live_stop (self);
    if (pad != NULL)
      self->map.followed_pad = gst_object_ref (pad);
  }
  if (pad == NULL)
    return;

  /* While another map is seen, this one keeps step all the same: the newest of
   * its buffers counts when it is back, and which that is must not depend on
   * who was faster. */
  gst_slit_scan_map_pad_take (pad, self->stream.time,
      may_wait && awaits_map (self), &self->map.buffer, &self->map.info,
      &counts);
  if (is_seen && self->map.buffer != NULL) {
    frame.buffer = self->map.buffer;
    frame.info = &self->map.info;
    if (!self->engine_class->set_map (self->engine, SLIT_SCAN_MAP_LIVE, &frame,
            &error))
      GST_WARNING_OBJECT (pad, "%s (%" GST_PTR_FORMAT ")", error.message,
          self->map.buffer);
    gst_clear_buffer (&self->map.buffer);
  }

  GST_OBJECT_LOCK (self);
  self->values.readings.map_buffers = counts.buffers;
  self->values.readings.map_late = counts.late;
  GST_OBJECT_UNLOCK (self);
}
