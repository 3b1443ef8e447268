/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The request pad `age`: how old each pixel of the output is, as a video in step
 * with the output. A probe on the pad `src` follows what leaves there: before each
 * buffer, its ages are drawn and pushed, and events go the same way. */

#include "gstslitscanprivate.h"

#define GST_CAT_DEFAULT gst_slit_scan_debug

/* The probe's data, of the streaming thread alone. */
typedef struct
{
  GstSlitScan *element;
  GstPad *pad;
  /* Whether the pad has the events before its first buffer. */
  gboolean has_begun;
  GstVideoInfo info;
  GstBufferPool *pool;
} Ages;

static void
clear_pool (Ages * ages)
{
  if (ages->pool != NULL)
    gst_buffer_pool_set_active (ages->pool, FALSE);
  gst_clear_object (&ages->pool);
}

static void
free_ages (gpointer data)
{
  Ages *ages = data;

  clear_pool (ages);
  gst_object_unref (ages->pad);
  g_free (ages);
}

/* -- events --------------------------------------------------------------- */

static GstEvent *
make_stream_start (Ages * ages, GstEvent * event)
{
  const gchar *id;
  g_autofree gchar *own = NULL;
  GstEvent *start;
  GstStreamFlags flags;
  guint group;

  /* gst_pad_create_stream_id () is not for elements with two sink pads. */
  gst_event_parse_stream_start (event, &id);
  own = g_strconcat (id, "/age", NULL);
  start = gst_event_new_stream_start (own);
  gst_event_parse_stream_flags (event, &flags);
  gst_event_set_stream_flags (start, flags);
  if (gst_event_parse_group_id (event, &group))
    gst_event_set_group_id (start, group);
  gst_event_set_seqnum (start, gst_event_get_seqnum (event));
  return start;
}

/* Makes a pool of frames for caps of the output; NULL if there can be none. */
static GstEvent *
make_caps (Ages * ages, GstEvent * event)
{
  g_autoptr (GstCaps) caps = NULL;
  GstCaps *output;
  GstVideoInfo info;
  GstStructure *config;

  clear_pool (ages);
  gst_event_parse_caps (event, &output);
  if (!gst_video_info_from_caps (&info, output))
    return NULL;
  gst_video_info_set_interlaced_format (&ages->info, GST_VIDEO_FORMAT_GRAY16_LE,
      GST_VIDEO_INFO_INTERLACE_MODE (&info), GST_VIDEO_INFO_WIDTH (&info),
      GST_VIDEO_INFO_HEIGHT (&info));
  GST_VIDEO_INFO_FPS_N (&ages->info) = GST_VIDEO_INFO_FPS_N (&info);
  GST_VIDEO_INFO_FPS_D (&ages->info) = GST_VIDEO_INFO_FPS_D (&info);
  GST_VIDEO_INFO_PAR_N (&ages->info) = GST_VIDEO_INFO_PAR_N (&info);
  GST_VIDEO_INFO_PAR_D (&ages->info) = GST_VIDEO_INFO_PAR_D (&info);
  caps = gst_video_info_to_caps (&ages->info);
  ages->pool = gst_video_buffer_pool_new ();
  config = gst_buffer_pool_get_config (ages->pool);
  gst_buffer_pool_config_set_params (config, caps,
      GST_VIDEO_INFO_SIZE (&ages->info), 0, 0);
  if (!gst_buffer_pool_set_config (ages->pool, config)
      || !gst_buffer_pool_set_active (ages->pool, TRUE)) {
    clear_pool (ages);
    return NULL;
  }
  return gst_event_new_caps (caps);
}

static void
forward (Ages * ages, GstEvent * event)
{
  GstEvent *copy;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      copy = make_stream_start (ages, event);
      break;
    case GST_EVENT_CAPS:
      copy = make_caps (ages, event);
      break;
    default:
      copy = gst_event_ref (event);
      break;
  }
  if (copy != NULL)
    gst_pad_push_event (ages->pad, copy);
}

static gboolean
forward_sticky (GstPad * pad, GstEvent ** event, gpointer data)
{
  /* The end comes when its time has come. */
  if (GST_EVENT_TYPE (*event) != GST_EVENT_EOS)
    forward (data, *event);
  return TRUE;
}

/* The pad may have been requested in the midst of a stream. */
static void
begin (Ages * ages, GstPad * src)
{
  if (!ages->has_begun)
    gst_pad_sticky_events_foreach (src, forward_sticky, ages);
  ages->has_begun = TRUE;
}

static void
follow_event (Ages * ages, GstPad * src, GstEvent * event)
{
  /* Sticky events are there with the first buffer. Flushes come from any thread,
   * and are not sticky. */
  if (GST_EVENT_IS_STICKY (event) && GST_EVENT_TYPE (event) != GST_EVENT_EOS
      && !ages->has_begun)
    return;
  if (GST_EVENT_IS_SERIALIZED (event)
      && GST_EVENT_TYPE (event) != GST_EVENT_FLUSH_STOP)
    begin (ages, src);
  forward (ages, event);
}

/* -- buffers -------------------------------------------------------------- */

static GstFlowReturn
draw (Ages * ages, GstBuffer * buffer)
{
  GstSlitScan *self = ages->element;
  const GstSlitScanFrame target = { buffer, &ages->info };
  SlitScanError error;

  switch (self->engine_class->draw_ages (self->engine, &target, &error)) {
    case GST_SLIT_SCAN_DONE:
      return GST_FLOW_OK;
    case GST_SLIT_SCAN_FAILED:
      gst_slit_scan_post_error (self, &error);
      break;
    default:
      gst_slit_scan_post_unwritable (self);
      break;
  }
  return GST_FLOW_ERROR;
}

/* Sends the ages of an output. What becomes of them is no matter of the output's,
 * unless it is an error. */
static GstFlowReturn
send_ages (Ages * ages, GstBuffer * output)
{
  GstBuffer *buffer = NULL;
  GstFlowReturn flow;

  if (ages->pool == NULL || !gst_pad_is_linked (ages->pad))
    return GST_FLOW_OK;
  flow = gst_buffer_pool_acquire_buffer (ages->pool, &buffer, NULL);
  if (flow != GST_FLOW_OK)
    return flow;
  gst_buffer_copy_into (buffer, output,
      GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
  flow = draw (ages, buffer);
  if (flow != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return flow;
  }
  flow = gst_pad_push (ages->pad, buffer);
  return flow < GST_FLOW_EOS ? flow : GST_FLOW_OK;
}

static GstPadProbeReturn
follow (GstPad * src, GstPadProbeInfo * info, gpointer data)
{
  Ages *ages = data;
  GstFlowReturn flow;

  if (GST_PAD_PROBE_INFO_TYPE (info) & (GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM
          | GST_PAD_PROBE_TYPE_EVENT_FLUSH)) {
    follow_event (ages, src, GST_PAD_PROBE_INFO_EVENT (info));
    return GST_PAD_PROBE_OK;
  }
  begin (ages, src);
  flow = send_ages (ages, GST_PAD_PROBE_INFO_BUFFER (info));
  if (flow == GST_FLOW_OK)
    return GST_PAD_PROBE_OK;
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_DATA (info) = NULL;
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = flow;
  return GST_PAD_PROBE_HANDLED;
}

/* -- the pad -------------------------------------------------------------- */

/* Upstream, the pad is one with `src`, but for how late its frames are. */
static gboolean
age_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_QOS:
    case GST_EVENT_RECONFIGURE:
      gst_event_unref (event);
      return TRUE;
    default:
      return gst_pad_send_event (GST_BASE_TRANSFORM (parent)->srcpad, event);
  }
}

static gboolean
age_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_CAPS:
    case GST_QUERY_ACCEPT_CAPS:
    case GST_QUERY_ALLOCATION:
      return gst_pad_query_default (pad, parent, query);
    default:
      return gst_pad_query (GST_BASE_TRANSFORM (parent)->srcpad, query);
  }
}

/* Only with a pad does the effect keep what ages are drawn from. */
static void
set_keeps_ages (GstSlitScan * self, gboolean keeps_ages)
{
  GST_OBJECT_LOCK (self);
  self->values.settings.keeps_ages = keeps_ages;
  GST_OBJECT_UNLOCK (self);
}

GstPad *
gst_slit_scan_ages_request_pad (GstSlitScan * self, GstPadTemplate * template)
{
  GstElement *element = GST_ELEMENT (self);
  GstPad *pad, *src = GST_BASE_TRANSFORM (self)->srcpad;
  Ages *ages;

  GST_OBJECT_LOCK (self);
  pad = self->age_pad;
  if (pad == NULL)
    self->age_pad = pad = gst_pad_new_from_template (template, "age");
  else
    pad = NULL;
  GST_OBJECT_UNLOCK (self);
  if (pad == NULL) {
    GST_WARNING_OBJECT (self, "there is a pad age already");
    return NULL;
  }
  gst_pad_set_event_function (pad, GST_DEBUG_FUNCPTR (age_event));
  gst_pad_set_query_function (pad, GST_DEBUG_FUNCPTR (age_query));
  gst_pad_use_fixed_caps (pad);
  if (GST_STATE (element) > GST_STATE_READY
      || GST_STATE_NEXT (element) == GST_STATE_PAUSED)
    gst_pad_set_active (pad, TRUE);
  gst_element_add_pad (element, pad);

  ages = g_new0 (Ages, 1);
  ages->element = self;
  ages->pad = gst_object_ref (pad);
  set_keeps_ages (self, TRUE);
  self->age_probe = gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      follow, ages, free_ages);
  return pad;
}

void
gst_slit_scan_ages_release_pad (GstSlitScan * self, GstPad * pad)
{
  set_keeps_ages (self, FALSE);
  gst_pad_remove_probe (GST_BASE_TRANSFORM (self)->srcpad, self->age_probe);
  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (GST_ELEMENT (self), pad);
  GST_OBJECT_LOCK (self);
  self->age_pad = NULL;
  GST_OBJECT_UNLOCK (self);
}
