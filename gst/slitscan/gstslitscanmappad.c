/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The request pad `map`: its buffers wait in a short queue until the video has
 * reached their time. Nothing is forwarded from here to the element's source
 * pad: no data, no event, no query.
 *
 * Threads and locks: three threads meet here. The branch's streaming thread
 * brings buffers and is held up while the queue is full; the video's takes
 * them and may wait for them; any other flushes, activates, links. `lock`
 * guards what they share. It is taken last, no other lock but a clock's is taken
 * and nothing else outside is called while it is held, not even to free a
 * buffer, which can go back to a pool. What only the branch's thread uses is
 * guarded by the pad's stream lock. */

#include "gstslitscanmappad.h"

#include <string.h>

#include "gstslitscandeadline.h"
#include "gstslitscanmapqueue.h"

GST_DEBUG_CATEGORY_STATIC (gst_slit_scan_map_pad_debug);
#define GST_CAT_DEFAULT gst_slit_scan_map_pad_debug

struct _GstSlitScanMapPad
{
  GstPad parent;

  /* The branch's streaming thread. */
  GstSegment segment;
  GstVideoInfo info;
  gboolean refusal_is_posted;

  GMutex lock;
  /* Anything below has changed. */
  GCond changed;
  /* The wait of a frame for its map. */
  GstSlitScanDeadline deadline;

  GstSlitScanMapQueue queue;
  gboolean is_active;
  gboolean is_linked;
  gboolean is_flushing;
  GstSlitScanMainStream main_stream;
};

#define gst_slit_scan_map_pad_parent_class parent_class
G_DEFINE_TYPE (GstSlitScanMapPad, gst_slit_scan_map_pad, GST_TYPE_PAD);

/* With the lock held: whether anything can come. */
static gboolean
is_open (GstSlitScanMapPad * self)
{
  return self->is_active && self->is_linked && !self->is_flushing;
}

/* With the lock held: both threads look again. */
static void
tell_change (GstSlitScanMapPad * self)
{
  g_cond_broadcast (&self->changed);
  gst_slit_scan_deadline_wake (&self->deadline);
}

/* -- video ---------------------------------------------------------------- */

/* With the lock held: whether the frame should wait for its map. */
static gboolean
should_wait (GstSlitScanMapPad * self)
{
  return is_open (self)
      && self->main_stream == GST_SLIT_SCAN_MAIN_STREAM_CONTINUES
      && gst_slit_scan_map_queue_is_uncertain (&self->queue);
}

/* Begins the wait of a frame for its map. The lock is held, but not meanwhile. */
static void
begin_wait (GstSlitScanMapPad * self)
{
  g_autoptr (GstElement) element = NULL;
  GstClock *clock;

  g_mutex_unlock (&self->lock);
  element = gst_pad_get_parent_element (GST_PAD (self));
  clock = gst_slit_scan_deadline_obtain_clock (element);
  g_mutex_lock (&self->lock);
  gst_slit_scan_deadline_begin (&self->deadline, clock, self->queue.patience);
}

void
gst_slit_scan_map_pad_take (GstSlitScanMapPad * self,
    GstClockTime running_time, gboolean may_wait, GstBuffer ** buffer,
    GstVideoInfo * info, GstSlitScanMapPadCounts * counts)
{
  GQueue dropped = G_QUEUE_INIT;
  GstSlitScanMapBuffer *newest = NULL;
  gboolean has_waited = FALSE;
  gboolean loses_patience = FALSE;

  g_mutex_lock (&self->lock);
  if (self->main_stream != GST_SLIT_SCAN_MAIN_STREAM_IS_FLUSHED)
    gst_slit_scan_map_queue_note_frame (&self->queue, running_time);
  while (self->main_stream != GST_SLIT_SCAN_MAIN_STREAM_IS_FLUSHED) {
    newest = gst_slit_scan_map_queue_pop (&self->queue, newest, &dropped);
    /* There is room for more. */
    g_cond_broadcast (&self->changed);
    if (!may_wait || !should_wait (self))
      break;
    if (!has_waited)
      begin_wait (self);
    else if (!gst_slit_scan_deadline_wait (&self->deadline, &self->lock)
        && should_wait (self))
      loses_patience = gst_slit_scan_map_queue_give_up (&self->queue);
    has_waited = TRUE;
  }
  if (has_waited)
    gst_slit_scan_deadline_end (&self->deadline);
  if (self->main_stream != GST_SLIT_SCAN_MAIN_STREAM_IS_FLUSHED)
    gst_slit_scan_map_queue_end_frame (&self->queue, has_waited);
  *counts = self->queue.counts;
  g_mutex_unlock (&self->lock);

  g_queue_clear_full (&dropped, gst_slit_scan_map_buffer_free);
  if (loses_patience)
    GST_WARNING_OBJECT (self, "nothing has come for %" GST_TIME_FORMAT
        "; continuing without it, and waiting less from now on",
        GST_TIME_ARGS (running_time));
  if (newest == NULL)
    return;
  gst_clear_buffer (buffer);
  *buffer = newest->buffer;
  *info = newest->info;
  g_free (newest);
}

void
gst_slit_scan_map_pad_set_main_stream (GstSlitScanMapPad * self,
    GstSlitScanMainStream main_stream)
{
  g_mutex_lock (&self->lock);
  if (main_stream != self->main_stream) {
    self->main_stream = main_stream;
    gst_slit_scan_map_queue_forget_frame (&self->queue);
    tell_change (self);
  }
  g_mutex_unlock (&self->lock);
}

/* -- buffers -------------------------------------------------------------- */

static gboolean
keep_format (GQuark field, GValue * value, gpointer format)
{
  return field == GPOINTER_TO_UINT (format);
}

/* Says, once for each caps, why what arrives is not a map; caps are NULL where
 * there are none. */
static void
post_refusal (GstSlitScanMapPad * self, GstCaps * caps)
{
  g_autoptr (GstElement) element = NULL;
  g_autoptr (GstCaps) kind = NULL;
  g_autofree gchar *text = NULL;

  if (self->refusal_is_posted)
    return;
  self->refusal_is_posted = TRUE;
  element = gst_pad_get_parent_element (GST_PAD (self));
  if (element == NULL)
    return;
  if (caps != NULL) {
    kind = gst_caps_copy_nth (caps, 0);
    gst_structure_filter_and_map_in_place (gst_caps_get_structure (kind, 0),
        keep_format, GUINT_TO_POINTER (g_quark_from_static_string ("format")));
    text = gst_caps_to_string (kind);
  }
  GST_ELEMENT_WARNING (element, STREAM, WRONG_TYPE,
      ("The pad %s takes raw video in memory, in the formats that can be "
          "scanned, not %s; the video continues without it. Put decodebin and "
          "videoconvert before the pad.", GST_PAD_NAME (self),
          text != NULL ? text : "data without caps"),
      ("caps are %" GST_PTR_FORMAT, caps));
}

static GstFlowReturn
map_pad_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstSlitScanMapPad *self = GST_SLIT_SCAN_MAP_PAD (pad);
  GQueue dropped = G_QUEUE_INIT;
  GstSlitScanMapBuffer *map;
  GstFlowReturn flow = GST_FLOW_OK;

  if (GST_VIDEO_INFO_FORMAT (&self->info) == GST_VIDEO_FORMAT_UNKNOWN)
    post_refusal (self, NULL);
  map = gst_slit_scan_map_buffer_new (buffer, &self->info, &self->segment);

  g_mutex_lock (&self->lock);
  self->queue.counts.buffers++;
  gst_slit_scan_map_queue_note_arrival (&self->queue);
  if (map != NULL) {
    while (is_open (self)
        && self->main_stream < GST_SLIT_SCAN_MAIN_STREAM_IS_OVER
        && gst_slit_scan_map_queue_is_full (&self->queue, map))
      g_cond_wait (&self->changed, &self->lock);
    if (!self->is_active || self->is_flushing
        || self->main_stream == GST_SLIT_SCAN_MAIN_STREAM_IS_STOPPED)
      flow = GST_FLOW_FLUSHING;
    else if (self->main_stream == GST_SLIT_SCAN_MAIN_STREAM_IS_OVER)
      flow = GST_FLOW_EOS;
    if (flow == GST_FLOW_OK) {
      gst_slit_scan_map_queue_push (&self->queue, map, &dropped);
      tell_change (self);
    } else {
      g_queue_push_tail (&dropped, map);
    }
  }
  g_mutex_unlock (&self->lock);

  g_queue_clear_full (&dropped, gst_slit_scan_map_buffer_free);
  return flow;
}

/* -- events and queries --------------------------------------------------- */

/* Caps outside the template would be refused before the event function sees
 * them, and the branch's source would end everything with an error. Here they
 * are only what cannot be a map: the branch goes on, at the video's pace. */
static GstPadProbeReturn
map_pad_check_caps (GstPad * pad, GstPadProbeInfo * probe, gpointer user_data)
{
  GstSlitScanMapPad *self = GST_SLIT_SCAN_MAP_PAD (pad);
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (probe);
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CAPS)
    return GST_PAD_PROBE_OK;
  gst_event_parse_caps (event, &caps);
  self->refusal_is_posted = FALSE;
  if (gst_pad_query_accept_caps (pad, caps)
      && gst_video_info_from_caps (&self->info, caps))
    return GST_PAD_PROBE_OK;

  gst_video_info_init (&self->info);
  post_refusal (self, caps);
  gst_pad_store_sticky_event (pad, event);
  return GST_PAD_PROBE_DROP;
}

gboolean
gst_slit_scan_map_pad_query_liveness (GstPad * pad, gboolean * is_live)
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  gboolean is_answered = gst_pad_peer_query (pad, query);

  if (is_answered)
    gst_query_parse_latency (query, is_live, NULL, NULL);
  return is_answered;
}

/* In the order of the stream, on the branch's streaming thread. */
static void
handle_serialized_event (GstSlitScanMapPad * self, GstEvent * event)
{
  GstEventType type = GST_EVENT_TYPE (event);
  gboolean is_start = type == GST_EVENT_STREAM_START
      || type == GST_EVENT_SEGMENT;
  gboolean is_end = type == GST_EVENT_EOS || type == GST_EVENT_SEGMENT_DONE;
  gboolean is_live = FALSE;
  gboolean tells_time = FALSE;
  GstClockTime start, duration, reached = GST_CLOCK_TIME_NONE;

  if (is_start)
    gst_slit_scan_map_pad_query_liveness (GST_PAD (self), &is_live);
  if (type == GST_EVENT_SEGMENT) {
    gst_event_copy_segment (event, &self->segment);
    tells_time = TRUE;
    if (self->segment.format == GST_FORMAT_TIME)
      reached = self->segment.base;
  } else if (type == GST_EVENT_GAP) {
    gst_event_parse_gap (event, &start, &duration);
    tells_time = gst_slit_scan_map_buffer_running_times (&self->segment, start,
        duration, &start, &reached);
  }

  g_mutex_lock (&self->lock);
  gst_slit_scan_map_queue_note_arrival (&self->queue);
  if (is_start)
    self->queue.is_live = is_live;
  if (is_start || is_end)
    self->queue.has_ended = is_end;
  if (tells_time)
    gst_slit_scan_map_queue_reach (&self->queue, reached);
  tell_change (self);
  g_mutex_unlock (&self->lock);
}

/* Gives up what waits. */
static void
start_flush (GstSlitScanMapPad * self)
{
  GQueue dropped;

  g_mutex_lock (&self->lock);
  self->is_flushing = TRUE;
  dropped = gst_slit_scan_map_queue_drop (&self->queue);
  tell_change (self);
  g_mutex_unlock (&self->lock);
  g_queue_clear_full (&dropped, gst_slit_scan_map_buffer_free);
}

static void
stop_flush (GstSlitScanMapPad * self)
{
  gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
  g_mutex_lock (&self->lock);
  self->is_flushing = FALSE;
  gst_slit_scan_map_queue_forget_stream (&self->queue);
  g_mutex_unlock (&self->lock);
}

static gboolean
map_pad_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstSlitScanMapPad *self = GST_SLIT_SCAN_MAP_PAD (pad);

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START)
    start_flush (self);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    stop_flush (self);
  else if (GST_EVENT_IS_SERIALIZED (event))
    handle_serialized_event (self, event);
  gst_event_unref (event);
  return TRUE;
}

static gboolean
map_pad_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_CAPS:
    case GST_QUERY_ACCEPT_CAPS:
      return gst_pad_query_default (pad, parent, query);
    case GST_QUERY_ALLOCATION:
      gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
      return TRUE;
    default:
      return FALSE;
  }
}

/* -- pad ------------------------------------------------------------------ */

/* Gives up all that is known of the branch and of the video. */
static void
forget_all (GstSlitScanMapPad * self)
{
  GQueue dropped;

  g_mutex_lock (&self->lock);
  dropped = gst_slit_scan_map_queue_drop (&self->queue);
  gst_slit_scan_map_queue_forget_branch (&self->queue);
  gst_slit_scan_map_queue_forget_frame (&self->queue);
  self->is_flushing = FALSE;
  g_mutex_unlock (&self->lock);
  g_queue_clear_full (&dropped, gst_slit_scan_map_buffer_free);
}

/* Deactivation wakes all waiters, then leaves everything as it was at first.
 * That is not left to the next activation, as it has data flow at once. */
static gboolean
map_pad_activate_mode (GstPad * pad, GstObject * parent,
    GstPadMode mode, gboolean active)
{
  GstSlitScanMapPad *self = GST_SLIT_SCAN_MAP_PAD (pad);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  g_mutex_lock (&self->lock);
  self->is_active = active;
  if (active)
    memset (&self->queue.counts, 0, sizeof (self->queue.counts));
  else
    tell_change (self);
  g_mutex_unlock (&self->lock);
  if (active)
    return TRUE;

  GST_PAD_STREAM_LOCK (self);
  gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
  gst_video_info_init (&self->info);
  self->refusal_is_posted = FALSE;
  forget_all (self);
  GST_PAD_STREAM_UNLOCK (self);
  return TRUE;
}

/* Waiting buffers are still taken when their time comes. A thread that is held
 * up while its pad is unlinked must not hold up a thread that stops its
 * element. */
static void
set_linked (GstSlitScanMapPad * self, gboolean linked)
{
  g_mutex_lock (&self->lock);
  self->is_linked = linked;
  if (!linked)
    gst_slit_scan_map_queue_forget_branch (&self->queue);
  tell_change (self);
  g_mutex_unlock (&self->lock);
}

static void
map_pad_linked (GstPad * pad, GstPad * peer)
{
  set_linked (GST_SLIT_SCAN_MAP_PAD (pad), TRUE);
}

static void
map_pad_unlinked (GstPad * pad, GstPad * peer)
{
  set_linked (GST_SLIT_SCAN_MAP_PAD (pad), FALSE);
}

/* Only now has the pad its direction, without which it has no chain. */
static void
map_pad_constructed (GObject * object)
{
  GstPad *pad = GST_PAD (object);

  G_OBJECT_CLASS (parent_class)->constructed (object);
  gst_pad_set_chain_function (pad, GST_DEBUG_FUNCPTR (map_pad_chain));
  gst_pad_set_event_function (pad, GST_DEBUG_FUNCPTR (map_pad_event));
  gst_pad_set_query_function (pad, GST_DEBUG_FUNCPTR (map_pad_query));
  gst_pad_set_activatemode_function (pad,
      GST_DEBUG_FUNCPTR (map_pad_activate_mode));
  /* No event, query or data of this pad has another pad to go to. */
  gst_pad_set_iterate_internal_links_function (pad, NULL);
  GST_PAD_SET_ACCEPT_TEMPLATE (pad);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      map_pad_check_caps, NULL, NULL);
}

static void
map_pad_finalize (GObject * object)
{
  GstSlitScanMapPad *self = GST_SLIT_SCAN_MAP_PAD (object);

  forget_all (self);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_slit_scan_map_pad_class_init (GstSlitScanMapPadClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstPadClass *pad_class = GST_PAD_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_slit_scan_map_pad_debug, "slitscan", 0,
      "slit-scan effect");
  object_class->constructed = map_pad_constructed;
  object_class->finalize = map_pad_finalize;
  pad_class->linked = map_pad_linked;
  pad_class->unlinked = map_pad_unlinked;
}

static void
gst_slit_scan_map_pad_init (GstSlitScanMapPad * self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  gst_slit_scan_map_queue_forget_branch (&self->queue);
  gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
  gst_video_info_init (&self->info);
}
