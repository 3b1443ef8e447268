/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The request pad `map`: raw video at any size and rate, in step with the
 * picture by running time.
 *
 * What arrives waits in a short queue until a frame of the picture is as far.
 * Nothing goes from here to the picture's source pad: no data, no event, no
 * query.
 *
 * Threads and locks: three threads meet here. The branch's streaming thread
 * brings buffers and is held up while the queue is full; the picture's takes
 * them and may wait for them; any other flushes, activates, links. `lock`
 * guards what they share. It is taken last, no other lock is taken and nothing
 * outside is called while it is held, not even to free a buffer, which can go
 * back to a pool. What only the branch's thread uses is guarded by the pad's
 * stream lock. */

#include "gstslitscanmappad.h"

#include <string.h>

#include "gstslitscanlock.h"

GST_DEBUG_CATEGORY_STATIC (gst_slit_scan_map_pad_debug);
#define GST_CAT_DEFAULT gst_slit_scan_map_pad_debug

/* How many buffers wait for the picture. Few, as they may belong to a small
 * pool; more than one, so that the two threads need not take turns. */
#define MAX_WAITING 4

/* How long a frame waits for its map, in microseconds. */
#define PATIENCE (5 * G_TIME_SPAN_SECOND)

/* A buffer that waits for the picture. */
typedef struct
{
  GstBuffer *buffer;
  /* That of the caps it came with; of an unknown format if it cannot be a
   * map. */
  GstVideoInfo info;
  /* Running times; untimed buffers are from 0 to GST_CLOCK_TIME_NONE. */
  GstClockTime start;
  GstClockTime end;
} WaitingMap;

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

  /* In order of their starts, each after the one before. */
  GQueue waiting;
  /* How far the branch is: nothing that starts before can still arrive. */
  GstClockTime reached;
  gboolean is_active;
  gboolean is_linked;
  gboolean is_flushing;
  gboolean is_live;
  gboolean has_ended;
  /* Who brought the last buffer or event, NULL if nothing came yet. Owned, so
   * that no thread begins where one has ended. */
  GThread *branch_thread;

  GstSlitScanPicture picture;
  /* The last frame's running time, 0 before the first, and who came for its
   * map. */
  GstClockTime picture_time;
  GThread *picture_thread;

  /* How long the next wait lasts, and whether the last was in vain and nothing
   * has come since. */
  gint64 patience;
  gboolean has_given_up;

  GstSlitScanMapPadCounts counts;
};

#define gst_slit_scan_map_pad_parent_class parent_class
G_DEFINE_TYPE (GstSlitScanMapPad, gst_slit_scan_map_pad, GST_TYPE_PAD);

/* -- queue ---------------------------------------------------------------- */

static void
waiting_map_free (gpointer data)
{
  WaitingMap *map = data;

  gst_buffer_unref (map->buffer);
  g_free (map);
}

/* With the lock held: empties the queue. What waited goes to dropped, to be
 * freed when the lock is not held. */
static void
drop_waiting (GstSlitScanMapPad * self, GQueue * dropped)
{
  *dropped = self->waiting;
  g_queue_init (&self->waiting);
}

/* With the lock held: sets who was last here. */
static void
set_thread (GThread ** thread, GThread * newest)
{
  if (*thread == newest)
    return;
  g_clear_pointer (thread, g_thread_unref);
  if (newest != NULL)
    *thread = g_thread_ref (newest);
}

/* With the lock held: forgets what is known of the stream, as after it comes
 * another. */
static void
forget_stream (GstSlitScanMapPad * self)
{
  self->reached = 0;
  self->has_ended = FALSE;
  self->is_live = FALSE;
  self->has_given_up = FALSE;
  set_thread (&self->branch_thread, NULL);
}

/* With the lock held: the branch has been heard of. */
static void
note_arrival (GstSlitScanMapPad * self)
{
  set_thread (&self->branch_thread, g_thread_self ());
  self->has_given_up = FALSE;
}

/* -- picture -------------------------------------------------------------- */

/* With the lock held: whether a frame should wait for what may still come.
 *
 * Where one thread brings both picture and map, as behind a tee without
 * queues, nothing comes while it waits. A live branch brings its buffers at
 * their running time or later: who waits for them is late at the sink. */
static gboolean
should_wait (GstSlitScanMapPad * self)
{
  return self->is_active && self->is_linked && !self->is_flushing
      && self->picture == GST_SLIT_SCAN_PICTURE_COMES && !self->has_ended
      && !self->is_live && !self->has_given_up
      && self->branch_thread != g_thread_self ()
      && self->reached <= self->picture_time;
}

/* With the lock held: takes what the picture has reached out of the queue.
 * Returns the newest of that and of the one given, which may be NULL; the
 * others go to dropped. */
static WaitingMap *
pop_reached (GstSlitScanMapPad * self, WaitingMap * newest, GQueue * dropped)
{
  WaitingMap *map;

  while ((map = g_queue_peek_head (&self->waiting)) != NULL
      && map->start <= self->picture_time) {
    g_queue_pop_head (&self->waiting);
    if (GST_VIDEO_INFO_FORMAT (&map->info) == GST_VIDEO_FORMAT_UNKNOWN) {
      g_queue_push_tail (dropped, map);
      continue;
    }
    if (newest != NULL) {
      self->counts.late++;
      g_queue_push_tail (dropped, newest);
    }
    newest = map;
  }
  return newest;
}

/* With the lock held: takes the newest map, once it is certain which that is
 * if may_wait. gives_up tells whether that took too long.
 *
 * After a wait in vain there is no other before something has arrived, and the
 * next is eight times shorter: there are pipelines in which all would be in
 * vain. Where a tee feeds the picture directly, and then the map through a
 * queue, the map of a frame is not even sent before the frame is done; so such
 * a pipeline loses six seconds in all. Patience is back once the branch turns
 * out to be ahead of the picture, or to come while it is waited for. Neither
 * can happen there. */
static WaitingMap *
pop_certain (GstSlitScanMapPad * self, gboolean may_wait, GQueue * dropped,
    gboolean * gives_up)
{
  gint64 deadline = g_get_monotonic_time () + self->patience;
  gboolean has_waited = FALSE;
  WaitingMap *newest = NULL;

  *gives_up = FALSE;
  for (;;) {
    if (self->picture == GST_SLIT_SCAN_PICTURE_IS_FLUSHED)
      return newest;
    newest = pop_reached (self, newest, dropped);
    /* There is room for more. */
    g_cond_broadcast (&self->changed);
    if (!may_wait || !should_wait (self))
      break;
    has_waited = TRUE;
    if (!gst_slit_scan_cond_wait_until (&self->changed, &self->lock, deadline)
        && should_wait (self)) {
      self->has_given_up = TRUE;
      *gives_up = self->patience == PATIENCE;
      self->patience /= 8;
    }
  }
  if (self->reached > self->picture_time
      && (has_waited || !g_queue_is_empty (&self->waiting)))
    self->patience = PATIENCE;
  return newest;
}

gboolean
gst_slit_scan_map_pad_take (GstSlitScanMapPad * self,
    GstClockTime running_time, gboolean may_wait, GstBuffer ** buffer,
    GstVideoInfo * info)
{
  GQueue dropped = G_QUEUE_INIT;
  WaitingMap *newest;
  gboolean gives_up;

  g_return_val_if_fail (GST_CLOCK_TIME_IS_VALID (running_time), FALSE);

  gst_slit_scan_mutex_lock (&self->lock);
  if (self->picture != GST_SLIT_SCAN_PICTURE_IS_FLUSHED) {
    self->picture_time = running_time;
    set_thread (&self->picture_thread, g_thread_self ());
  }
  newest = pop_certain (self, may_wait, &dropped, &gives_up);
  gst_slit_scan_mutex_unlock (&self->lock);

  g_queue_clear_full (&dropped, waiting_map_free);
  if (gives_up)
    GST_WARNING_OBJECT (self, "nothing has come for %" GST_TIME_FORMAT
        "; going on without, and waiting less from now on",
        GST_TIME_ARGS (running_time));
  if (newest == NULL)
    return FALSE;
  *buffer = newest->buffer;
  *info = newest->info;
  g_free (newest);
  return TRUE;
}

void
gst_slit_scan_map_pad_set_picture (GstSlitScanMapPad * self,
    GstSlitScanPicture picture)
{
  gst_slit_scan_mutex_lock (&self->lock);
  if (picture != self->picture) {
    self->picture = picture;
    /* Running time may start again. */
    self->picture_time = 0;
    set_thread (&self->picture_thread, NULL);
    g_cond_broadcast (&self->changed);
  }
  gst_slit_scan_mutex_unlock (&self->lock);
}

GstSlitScanMapPadCounts
gst_slit_scan_map_pad_get_counts (GstSlitScanMapPad * self)
{
  GstSlitScanMapPadCounts counts;

  gst_slit_scan_mutex_lock (&self->lock);
  counts = self->counts;
  gst_slit_scan_mutex_unlock (&self->lock);
  return counts;
}

/* -- buffers -------------------------------------------------------------- */

/* The running times of a stretch of the branch; FALSE if it lies outside the
 * segment. Starts where the picture's frame of the same time does, also
 * backwards. */
static gboolean
get_running_times (GstSlitScanMapPad * self, GstClockTime pts,
    GstClockTime duration, GstClockTime * start, GstClockTime * end)
{
  const GstSegment *segment = &self->segment;
  GstClockTime stop = GST_CLOCK_TIME_NONE;

  if (segment->format != GST_FORMAT_TIME || !GST_CLOCK_TIME_IS_VALID (pts)) {
    *start = 0;
    *end = GST_CLOCK_TIME_NONE;
    return TRUE;
  }
  if (GST_CLOCK_TIME_IS_VALID (duration)
      && duration < GST_CLOCK_TIME_NONE - pts)
    stop = pts + duration;
  if (!gst_segment_clip (segment, GST_FORMAT_TIME, pts, stop, &pts, &stop))
    return FALSE;

  *start = gst_segment_to_running_time (segment, GST_FORMAT_TIME, pts);
  if (!GST_CLOCK_TIME_IS_VALID (*start))
    return FALSE;
  *end = gst_segment_to_running_time (segment, GST_FORMAT_TIME, stop);
  if (!GST_CLOCK_TIME_IS_VALID (stop) || !GST_CLOCK_TIME_IS_VALID (*end))
    *end = *start;
  else if (*end < *start)
    *end = *start + (*start - *end);
  return TRUE;
}

/* What is to wait of a buffer, which this takes over; NULL if the segment
 * leaves it out. */
static WaitingMap *
waiting_map_new (GstSlitScanMapPad * self, GstBuffer * buffer)
{
  GstClockTime duration = GST_BUFFER_DURATION (buffer);
  GstClockTime start, end;
  WaitingMap *map;

  if (!GST_CLOCK_TIME_IS_VALID (duration)
      && GST_VIDEO_INFO_FPS_N (&self->info) > 0)
    duration = gst_util_uint64_scale_int (GST_SECOND,
        GST_VIDEO_INFO_FPS_D (&self->info), GST_VIDEO_INFO_FPS_N (&self->info));
  if (!get_running_times (self, GST_BUFFER_PTS (buffer), duration, &start,
          &end)) {
    gst_buffer_unref (buffer);
    return NULL;
  }

  map = g_new (WaitingMap, 1);
  map->buffer = buffer;
  map->info = self->info;
  map->start = start;
  map->end = end;
  return map;
}

/* With the lock held: whether a buffer must wait for room in the queue.
 *
 * None has to once the picture has reached it, since it supersedes the others.
 * Untimed buffers of a branch that is not live would come as fast as they can;
 * there is one for each frame instead. */
static gboolean
is_held_up (GstSlitScanMapPad * self, const WaitingMap * map)
{
  const WaitingMap *last = g_queue_peek_tail (&self->waiting);

  if (last == NULL || !self->is_active || !self->is_linked || self->is_flushing
      || self->picture == GST_SLIT_SCAN_PICTURE_IS_OVER
      || self->picture_thread == g_thread_self ())
    return FALSE;
  if (!GST_CLOCK_TIME_IS_VALID (map->end))
    return !self->is_live;
  return g_queue_get_length (&self->waiting) >= MAX_WAITING
      && map->start > last->start && map->start > self->picture_time;
}

/* With the lock held: makes room for a buffer.
 *
 * One that is not held up though the queue is full comes by the thread that
 * also brings the picture, which then would never get there, or during a flush.
 * The first ones stay, so that the picture gets to something, and the last is
 * replaced, so that it gets there with what is newest. */
static void
make_room (GstSlitScanMapPad * self, const WaitingMap * map, GQueue * dropped)
{
  const WaitingMap *last;

  while ((last = g_queue_peek_tail (&self->waiting)) != NULL
      && (last->start >= map->start || map->start <= self->picture_time
          || g_queue_get_length (&self->waiting) >= MAX_WAITING)) {
    self->counts.late++;
    g_queue_push_tail (dropped, g_queue_pop_tail (&self->waiting));
  }
}

/* What a person needs to know of caps: the media type, the features and the
 * format. */
static gchar *
describe_kind (const GstCaps * caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const GValue *format = gst_structure_get_value (structure, "format");
  GstStructure *kind = gst_structure_new_empty (gst_structure_get_name
      (structure));
  GstCaps *kind_caps = gst_caps_new_empty ();
  gchar *text;

  if (format != NULL)
    gst_structure_set_value (kind, "format", format);
  gst_caps_append_structure_full (kind_caps, kind,
      gst_caps_features_copy (gst_caps_get_features (caps, 0)));
  text = gst_caps_to_string (kind_caps);
  gst_caps_unref (kind_caps);
  return text;
}

/* Says, once for each caps, why what arrives is not a map; caps are NULL where
 * there are none. */
static void
post_refusal (GstSlitScanMapPad * self, GstCaps * caps)
{
  gchar *kind;
  GstElement *element;

  if (self->refusal_is_posted)
    return;
  self->refusal_is_posted = TRUE;
  element = gst_pad_get_parent_element (GST_PAD (self));
  if (element == NULL)
    return;
  kind = caps != NULL ? describe_kind (caps) : g_strdup ("data without caps");
  GST_ELEMENT_WARNING (element, STREAM, WRONG_TYPE,
      ("The pad %s takes raw video in memory, in the formats that can be "
          "scanned, not %s; the picture goes on without. Put decodebin and "
          "videoconvert before the pad.", GST_PAD_NAME (self), kind),
      ("%" GST_PTR_FORMAT, caps));
  g_free (kind);
  gst_object_unref (element);
}

static GstFlowReturn
gst_slit_scan_map_pad_chain (GstPad * pad, GstObject * parent,
    GstBuffer * buffer)
{
  GstSlitScanMapPad *self = GST_SLIT_SCAN_MAP_PAD (pad);
  GQueue dropped = G_QUEUE_INIT;
  WaitingMap *map;
  GstFlowReturn flow = GST_FLOW_OK;

  if (GST_VIDEO_INFO_FORMAT (&self->info) == GST_VIDEO_FORMAT_UNKNOWN)
    post_refusal (self, NULL);
  map = waiting_map_new (self, buffer);

  gst_slit_scan_mutex_lock (&self->lock);
  self->counts.buffers++;
  note_arrival (self);
  if (map != NULL) {
    while (is_held_up (self, map))
      gst_slit_scan_cond_wait (&self->changed, &self->lock);
    if (self->is_active && !self->is_flushing) {
      make_room (self, map, &dropped);
      g_queue_push_tail (&self->waiting, map);
      self->reached = map->end;
      g_cond_broadcast (&self->changed);
    } else {
      g_queue_push_tail (&dropped, map);
      flow = GST_FLOW_FLUSHING;
    }
  }
  gst_slit_scan_mutex_unlock (&self->lock);

  g_queue_clear_full (&dropped, waiting_map_free);
  return flow;
}

/* -- events and queries --------------------------------------------------- */

/* Caps outside the template would be refused before the event function sees
 * them, and the branch's source would end everything with an error. Here they
 * are only what cannot be a map: the branch goes on, at the picture's pace. */
static GstPadProbeReturn
gst_slit_scan_map_pad_check_caps (GstPad * pad, GstPadProbeInfo * probe,
    gpointer user_data)
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

/* Whether the branch is live, as upstream says. */
static gboolean
query_is_live (GstPad * pad)
{
  GstQuery *query = gst_query_new_latency ();
  gboolean is_live = FALSE;

  if (gst_pad_peer_query (pad, query))
    gst_query_parse_latency (query, &is_live, NULL, NULL);
  gst_query_unref (query);
  return is_live;
}

/* The running time that an event says the branch has reached; FALSE if it says
 * nothing of the kind. */
static gboolean
parse_reached (GstSlitScanMapPad * self, GstEvent * event,
    GstClockTime * reached)
{
  GstClockTime start, duration;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_SEGMENT:
      *reached = self->segment.format == GST_FORMAT_TIME ? self->segment.base
          : GST_CLOCK_TIME_NONE;
      return TRUE;
    case GST_EVENT_GAP:
      gst_event_parse_gap (event, &start, &duration);
      return get_running_times (self, start, duration, &start, reached);
    default:
      return FALSE;
  }
}

/* In the order of the stream, on the branch's streaming thread. */
static void
handle_serialized_event (GstSlitScanMapPad * self, GstEvent * event)
{
  GstEventType type = GST_EVENT_TYPE (event);
  gboolean is_start = type == GST_EVENT_STREAM_START
      || type == GST_EVENT_SEGMENT;
  gboolean is_end = type == GST_EVENT_EOS || type == GST_EVENT_SEGMENT_DONE;
  gboolean is_live = is_start && query_is_live (GST_PAD (self));
  GstClockTime reached;
  gboolean tells_time;

  if (type == GST_EVENT_SEGMENT)
    gst_event_copy_segment (event, &self->segment);
  tells_time = parse_reached (self, event, &reached);

  gst_slit_scan_mutex_lock (&self->lock);
  note_arrival (self);
  if (is_start)
    self->is_live = is_live;
  if (is_start || is_end)
    self->has_ended = is_end;
  if (tells_time)
    self->reached = reached;
  g_cond_broadcast (&self->changed);
  gst_slit_scan_mutex_unlock (&self->lock);
}

/* A flush begins: what waits is given up. */
static void
start_flush (GstSlitScanMapPad * self)
{
  GQueue dropped;

  gst_slit_scan_mutex_lock (&self->lock);
  self->is_flushing = TRUE;
  drop_waiting (self, &dropped);
  g_cond_broadcast (&self->changed);
  gst_slit_scan_mutex_unlock (&self->lock);
  g_queue_clear_full (&dropped, waiting_map_free);
}

static void
stop_flush (GstSlitScanMapPad * self)
{
  gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
  gst_slit_scan_mutex_lock (&self->lock);
  self->is_flushing = FALSE;
  forget_stream (self);
  gst_slit_scan_mutex_unlock (&self->lock);
}

static gboolean
gst_slit_scan_map_pad_event (GstPad * pad, GstObject * parent, GstEvent * event)
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
gst_slit_scan_map_pad_query (GstPad * pad, GstObject * parent, GstQuery * query)
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

static void
activate (GstSlitScanMapPad * self)
{
  gst_slit_scan_mutex_lock (&self->lock);
  self->is_active = TRUE;
  memset (&self->counts, 0, sizeof (self->counts));
  gst_slit_scan_mutex_unlock (&self->lock);
}

/* Frees whoever waits, then leaves everything as it was at first. That is not
 * left to the next activation, as it has data flow at once. */
static void
deactivate (GstSlitScanMapPad * self)
{
  GQueue dropped;

  gst_slit_scan_mutex_lock (&self->lock);
  self->is_active = FALSE;
  g_cond_broadcast (&self->changed);
  gst_slit_scan_mutex_unlock (&self->lock);

  GST_PAD_STREAM_LOCK (self);
  gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
  gst_video_info_init (&self->info);
  self->refusal_is_posted = FALSE;
  gst_slit_scan_mutex_lock (&self->lock);
  drop_waiting (self, &dropped);
  forget_stream (self);
  self->is_flushing = FALSE;
  self->picture_time = 0;
  set_thread (&self->picture_thread, NULL);
  self->patience = PATIENCE;
  gst_slit_scan_mutex_unlock (&self->lock);
  GST_PAD_STREAM_UNLOCK (self);

  g_queue_clear_full (&dropped, waiting_map_free);
}

static gboolean
gst_slit_scan_map_pad_activate_mode (GstPad * pad, GstObject * parent,
    GstPadMode mode, gboolean active)
{
  GstSlitScanMapPad *self = GST_SLIT_SCAN_MAP_PAD (pad);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  if (active)
    activate (self);
  else
    deactivate (self);
  return TRUE;
}

/* What waits is still taken when its time comes. A thread that is held up while
 * its pad is unlinked must not be waited for by who stops its element next. */
static void
gst_slit_scan_map_pad_set_linked (GstSlitScanMapPad * self, gboolean linked)
{
  gst_slit_scan_mutex_lock (&self->lock);
  self->is_linked = linked;
  if (!linked) {
    self->patience = PATIENCE;
    forget_stream (self);
  }
  g_cond_broadcast (&self->changed);
  gst_slit_scan_mutex_unlock (&self->lock);
}

static void
gst_slit_scan_map_pad_linked (GstPad * pad, GstPad * peer)
{
  gst_slit_scan_map_pad_set_linked (GST_SLIT_SCAN_MAP_PAD (pad), TRUE);
}

static void
gst_slit_scan_map_pad_unlinked (GstPad * pad, GstPad * peer)
{
  gst_slit_scan_map_pad_set_linked (GST_SLIT_SCAN_MAP_PAD (pad), FALSE);
}

/* No event, query or data of this pad has another pad to go to. */
static GstIterator *
gst_slit_scan_map_pad_iterate_internal_links (GstPad * pad, GstObject * parent)
{
  return NULL;
}

/* Only now has the pad its direction, without which it has no chain. */
static void
gst_slit_scan_map_pad_constructed (GObject * object)
{
  GstPad *pad = GST_PAD (object);

  G_OBJECT_CLASS (parent_class)->constructed (object);
  gst_pad_set_chain_function (pad,
      GST_DEBUG_FUNCPTR (gst_slit_scan_map_pad_chain));
  gst_pad_set_event_function (pad,
      GST_DEBUG_FUNCPTR (gst_slit_scan_map_pad_event));
  gst_pad_set_query_function (pad,
      GST_DEBUG_FUNCPTR (gst_slit_scan_map_pad_query));
  gst_pad_set_activatemode_function (pad,
      GST_DEBUG_FUNCPTR (gst_slit_scan_map_pad_activate_mode));
  gst_pad_set_iterate_internal_links_function (pad,
      GST_DEBUG_FUNCPTR (gst_slit_scan_map_pad_iterate_internal_links));
  GST_PAD_SET_ACCEPT_TEMPLATE (pad);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      gst_slit_scan_map_pad_check_caps, NULL, NULL);
}

static void
gst_slit_scan_map_pad_finalize (GObject * object)
{
  GstSlitScanMapPad *self = GST_SLIT_SCAN_MAP_PAD (object);
  GQueue dropped;

  gst_slit_scan_mutex_lock (&self->lock);
  drop_waiting (self, &dropped);
  set_thread (&self->branch_thread, NULL);
  set_thread (&self->picture_thread, NULL);
  gst_slit_scan_mutex_unlock (&self->lock);
  g_queue_clear_full (&dropped, waiting_map_free);
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
  object_class->constructed = gst_slit_scan_map_pad_constructed;
  object_class->finalize = gst_slit_scan_map_pad_finalize;
  pad_class->linked = gst_slit_scan_map_pad_linked;
  pad_class->unlinked = gst_slit_scan_map_pad_unlinked;
}

static void
gst_slit_scan_map_pad_init (GstSlitScanMapPad * self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->waiting);
  gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
  gst_video_info_init (&self->info);
  self->patience = PATIENCE;
}

GstPad *
gst_slit_scan_map_pad_new (GstPadTemplate * template, const gchar * name)
{
  return g_object_new (GST_TYPE_SLIT_SCAN_MAP_PAD, "name", name, "direction",
      GST_PAD_TEMPLATE_DIRECTION (template), "template", template, NULL);
}
