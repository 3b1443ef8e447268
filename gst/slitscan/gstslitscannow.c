/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The present: with `now`, a frame leaves once the frames have come that its
 * future is. Its picture is drawn then, from history; what is held back until
 * then is the buffer without its memory, and the events that came after it, in
 * order. */

#include "gstslitscanformat.h"
#include "gstslitscanprivate.h"

#define GST_CAT_DEFAULT gst_slit_scan_debug

/* -- how many frames ------------------------------------------------------ */

guint
gst_slit_scan_now_frames (const SlitScanSettings * settings, guint depth,
    GstClockTime interval)
{
  gdouble frames = 0;

  if (settings->mode != SLIT_SCAN_MODE_DISPLACE)
    return 0;
  if (settings->duration == 0)
    frames = settings->now * (depth - 1);
  else if (interval > 0)
    frames = settings->now * settings->duration / interval;
  return MIN (frames + 0.5, LONGEST_DELAY);
}

void
gst_slit_scan_now_settle (GstSlitScan * self)
{
  GstSlitScanHeld *held = &self->stream.held;
  SlitScanSettings *settings = &self->stream.settings;
  const GstClockTime interval = gst_slit_scan_elapsed_after (self, 1);
  const guint former = held->frames;
  /* Only this thread writes it. */
  const GstClockTime posted = self->values.readings.latency;
  const SlitScanReport *report = &self->values.readings.report;
  const guint missing = report->limited_depth != 0
      ? report->wanted_depth - report->limited_depth : 0;
  GstClockTime latency;

  held->frames = gst_slit_scan_now_frames (settings,
      settings->depth - MIN (missing, settings->depth - 1), interval);
  settings->present = held->frames;
  latency = held->frames * interval;
  /* Where no rate is known, no two intervals are the same. */
  if (held->frames == former
      && GST_VIDEO_INFO_FPS_N (&GST_VIDEO_FILTER (self)->in_info) <= 0)
    latency = MAX (latency, posted);
  if (latency == posted)
    return;
  GST_OBJECT_LOCK (self);
  self->values.readings.latency = latency;
  GST_OBJECT_UNLOCK (self);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_latency (GST_OBJECT (self)));
}

void
gst_slit_scan_now_add_latency (GstSlitScan * self, GstQuery * query)
{
  gboolean is_live;
  GstClockTime least, most, latency;

  GST_OBJECT_LOCK (self);
  latency = self->values.readings.latency;
  GST_OBJECT_UNLOCK (self);
  gst_query_parse_latency (query, &is_live, &least, &most);
  if (GST_CLOCK_TIME_IS_VALID (most))
    most += latency;
  gst_query_set_latency (query, is_live, least + latency, most);
}

/* -- what is held --------------------------------------------------------- */

gboolean
gst_slit_scan_now_holds (GstSlitScan * self)
{
  return self->stream.held.frames > 0 || self->stream.held.count > 0;
}

static void
hold (GstSlitScan * self, gpointer item)
{
  GstSlitScanHeld *held = &self->stream.held;

  if (held->items == NULL)
    held->items = gst_queue_array_new (held->frames + 1);
  gst_queue_array_push_tail (held->items, item);
}

/* Holds a frame back; NULL stands for one from before its segment, which is not
 * sent. */
static void
hold_frame (GstSlitScan * self, GstBuffer * buffer)
{
  GstSlitScanHeld *held = &self->stream.held;
  GstBuffer *header = NULL;

  if (buffer != NULL) {
    header = gst_buffer_new ();
    gst_buffer_copy_into (header, buffer, GST_BUFFER_COPY_METADATA, 0, -1);
    if (held->is_discont)
      GST_BUFFER_FLAG_SET (header, GST_BUFFER_FLAG_DISCONT);
    held->is_discont = FALSE;
  }
  held->count++;
  hold (self, header);
}

gboolean
gst_slit_scan_now_hold_event (GstSlitScan * self, GstEvent * event)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);

  /* Events out of band come from any thread, which may not look at the stream. */
  if (!GST_EVENT_IS_SERIALIZED (event) || self->stream.held.count == 0)
    return FALSE;
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_STOP:
    case GST_EVENT_EOS:
      return FALSE;
    case GST_EVENT_CAPS:
      /* Frames of other pixels have left before. */
      return FALSE;
    case GST_EVENT_SEGMENT_DONE:
      /* The frames of the next segment are the future of these, and come only
       * after this has arrived. */
      return FALSE;
    case GST_EVENT_SEGMENT:
      /* As the base class does. */
      gst_event_copy_segment (event, &trans->segment);
      trans->have_segment = TRUE;
      self->stream.held.segments++;
      break;
    default:
      break;
  }
  hold (self, event);
  return TRUE;
}

gboolean
gst_slit_scan_now_next (GstSlitScan * self)
{
  GstSlitScanHeld *held = &self->stream.held;

  gst_clear_buffer (&held->header);
  while (held->items != NULL && !gst_queue_array_is_empty (held->items)) {
    gpointer item = gst_queue_array_pop_head (held->items);

    if (item == NULL || GST_IS_BUFFER (item)) {
      held->header = item;
      held->count--;
      return TRUE;
    }
    if (GST_EVENT_TYPE (item) == GST_EVENT_SEGMENT)
      held->segments--;
    gst_pad_push_event (GST_BASE_TRANSFORM (self)->srcpad, item);
  }
  return FALSE;
}

void
gst_slit_scan_now_clear (GstSlitScan * self)
{
  GstSlitScanHeld *held = &self->stream.held;

  gst_clear_buffer (&held->header);
  gst_clear_buffer (&held->picture);
  if (held->items != NULL) {
    while (!gst_queue_array_is_empty (held->items)) {
      GstMiniObject *item = gst_queue_array_pop_head (held->items);

      gst_clear_mini_object (&item);
    }
    g_clear_pointer (&held->items, gst_queue_array_free);
  }
  held->count = 0;
  held->segments = 0;
  held->is_discont = FALSE;
}

/* -- the way of a frame --------------------------------------------------- */

GstBuffer *
gst_slit_scan_now_turn (GstSlitScan * self, GstBuffer * buffer)
{
  GstSlitScanHeld *held = &self->stream.held;

  hold_frame (self, buffer);
  while (held->header == NULL && held->count > held->frames)
    gst_slit_scan_now_next (self);
  /* In the segment of the frames that come in, one of another has no time. */
  return held->header != NULL && held->segments == 0
      ? gst_buffer_ref (held->header) : gst_buffer_new ();
}

static gboolean
keep_memory_meta (GstBuffer * buffer, GstMeta ** meta, gpointer data)
{
  if (!gst_meta_api_type_has_tag ((*meta)->info->api,
          g_quark_from_static_string (GST_META_TAG_MEMORY_STR)))
    *meta = NULL;
  return TRUE;
}

/* Another buffer of the last picture, for the frame that is next. */
static GstBuffer *
share_picture (GstSlitScan * self)
{
  GstSlitScanHeld *held = &self->stream.held;
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_copy_into (buffer, held->picture,
      GST_BUFFER_COPY_MEMORY | GST_BUFFER_COPY_META, 0, -1);
  gst_buffer_foreach_meta (buffer, keep_memory_meta, NULL);
  gst_slit_scan_base_class->copy_metadata (GST_BASE_TRANSFORM (self),
      held->header, buffer);
  /* Its pool must not give the memory away. */
  gst_buffer_add_parent_buffer_meta (buffer, held->picture);

  GST_OBJECT_LOCK (self);
  self->last_pts = GST_BUFFER_PTS (held->header);
  self->values.readings.frames[GST_SLIT_SCAN_FRAME_DRAWN]++;
  GST_OBJECT_UNLOCK (self);
  return buffer;
}

/* In the place of the base class's, which makes one output of one input. */
static GstFlowReturn
generate_output (GstBaseTransform * trans, GstBuffer ** output)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  GstSlitScanHeld *held = &self->stream.held;
  GstFlowReturn flow = GST_FLOW_OK;

  if (trans->queued_buf != NULL) {
    flow = gst_slit_scan_base_class->generate_output (trans, output);
    if (flow == GST_FLOW_OK && held->count > held->frames)
      gst_buffer_replace (&held->picture, *output);
    return flow;
  }
  /* Where fewer are held back than before, several leave at once. */
  while (held->picture != NULL && held->count > held->frames) {
    gst_slit_scan_now_next (self);
    if (held->header != NULL) {
      *output = share_picture (self);
      return GST_FLOW_OK;
    }
  }
  gst_clear_buffer (&held->header);
  gst_clear_buffer (&held->picture);
  return GST_FLOW_OK;
}

/* The header of a frame, all but its picture, is that of the frame that came with
 * it. */
static gboolean
copy_metadata (GstBaseTransform * trans, GstBuffer * buffer, GstBuffer * output)
{
  GstBuffer *header = GST_SLIT_SCAN (trans)->stream.held.header;

  return gst_slit_scan_base_class->copy_metadata (trans,
      header != NULL ? header : buffer, output);
}

/* The base class would mark the next output as discontinuous, which is of an
 * earlier frame. */
static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstSlitScan *self = GST_SLIT_SCAN (parent);

  if (GST_BUFFER_IS_DISCONT (buffer) && gst_slit_scan_now_holds (self)) {
    buffer = gst_buffer_make_writable (buffer);
    GST_BUFFER_FLAG_UNSET (buffer, GST_BUFFER_FLAG_DISCONT);
    self->stream.held.is_discont = TRUE;
  }
  return self->chain (pad, parent, buffer);
}

void
gst_slit_scan_now_init (GstSlitScan * self)
{
  GstPad *pad = GST_BASE_TRANSFORM (self)->sinkpad;

  self->chain = GST_PAD_CHAINFUNC (pad);
  gst_pad_set_chain_function (pad, GST_DEBUG_FUNCPTR (chain));
}

void
gst_slit_scan_now_class_init (GstBaseTransformClass * klass)
{
  klass->generate_output = GST_DEBUG_FUNCPTR (generate_output);
  klass->copy_metadata = GST_DEBUG_FUNCPTR (copy_metadata);
}
