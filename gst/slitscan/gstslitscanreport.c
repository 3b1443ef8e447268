/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Reports to the application: read-only properties after a frame, messages,
 * errors. */

#include "gstslitscanformat.h"
#include "gstslitscanmapfile.h"
#include "gstslitscanprivate.h"

#define GST_CAT_DEFAULT gst_slit_scan_debug

/* The mean of about the last so many frames. */
#define FRAMES_AVERAGED 32

/* In a warning of too little room. */
static const struct
{
  const gchar *name;
  const gchar *advice;
} limits[] = {
  [SLIT_SCAN_LIMIT_MAX_MEMORY] = {"max-memory", "raise max-memory"},
  [SLIT_SCAN_LIMIT_MEMORY] =
      {"the memory that the system has left", "close other programs"},
  [SLIT_SCAN_LIMIT_MAX_DISK] = {"max-disk", "raise max-disk"},
  [SLIT_SCAN_LIMIT_DISK] =
      {"what the disk of history-location has free", "free some of it"},
};

void
gst_slit_scan_post (GstSlitScan * self, GstStructure * structure)
{
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), structure));
}

/* TRUE if there is a limit, another than that of the last frame. */
static gboolean
is_new_limit (guint * last, guint limit)
{
  gboolean is_news = limit != 0 && limit != *last;

  *last = limit;
  return is_news;
}

static void
warn_of_limits (GstSlitScan * self, const SlitScanReport * report)
{
  /* How many frames a time will be is not known before it is over. */
  gboolean is_reserve = report->wanted_history > report->wanted_depth;
  gboolean is_time = !is_reserve && self->stream.settings.duration > 0;
  guint limit = report->limited_history;

  if (is_new_limit (&self->stream.limited_history, limit)) {
    GST_ELEMENT_WARNING (self, RESOURCE, NO_SPACE_LEFT,
        ("Only %u of %s%u frames of history fit into %s; the effect continues "
            "with these. Set a smaller %s, or %s.", limit,
            is_time ? "more than " : "", report->wanted_history,
            limits[report->history_limit].name,
            is_reserve ? "reserve" : is_time ? "duration" : "depth",
            limits[report->history_limit].advice), (NULL));
    gst_slit_scan_post (self, gst_structure_new ("slitscan-depth-limited",
            "depth", G_TYPE_UINT, limit,
            "wanted", G_TYPE_UINT, report->wanted_history, NULL));
  }
  limit = report->limited_lines;
  if (is_new_limit (&self->stream.limited_lines, limit)) {
    GST_ELEMENT_WARNING (self, RESOURCE, NO_SPACE_LEFT,
        ("Only %u of the %u lines of the canvas fit into %s; those before the "
            "newest %u are empty. Set a smaller canvas-length, or %s.", limit,
            report->wanted_lines,
            limits[report->are_lines_refused ? SLIT_SCAN_LIMIT_MEMORY :
                SLIT_SCAN_LIMIT_MAX_MEMORY].name, limit,
            limits[report->are_lines_refused ? SLIT_SCAN_LIMIT_MEMORY :
                SLIT_SCAN_LIMIT_MAX_MEMORY].advice), (NULL));
    gst_slit_scan_post (self, gst_structure_new ("slitscan-canvas-limited",
            "lines", G_TYPE_UINT, limit,
            "wanted", G_TYPE_UINT, report->wanted_lines, NULL));
  }
}

void
gst_slit_scan_publish (GstSlitScan * self, GstSlitScanFate fate,
    const SlitScanReport * report, GstClockTime spent)
{
  GstSlitScanReadings *readings = &self->values.readings;
  const GstBuffer *header = self->stream.held.header;
  GstSample *kept = NULL;
  guint64 count = 0;

  GST_OBJECT_LOCK (self);
  if (GST_SLIT_SCAN_FRAME_LEAVES (fate)) {
    kept = gst_slit_scan_snapshot_steal_kept (self);
    self->last_pts = header != NULL ? GST_BUFFER_PTS (header)
        : self->stream.last_frame.pts;
  }
  readings->report = *report;
  readings->depth = report->limited_depth != 0 ? report->limited_depth
      : report->wanted_depth;
  for (guint i = 0; i < G_N_ELEMENTS (readings->frames); i++)
    count += readings->frames[i];
  count = MIN (count, FRAMES_AVERAGED - 1);
  readings->average_time = (readings->average_time * count + spent)
      / (count + 1);
  readings->frames[fate]++;
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&kept, gst_sample_unref);

  if (report->completes)
    gst_slit_scan_post (self, gst_structure_new ("slitscan-complete",
            "running-time", G_TYPE_UINT64, self->stream.time, NULL));
  warn_of_limits (self, report);
  gst_slit_scan_disk_report (self, report);
  self->stream.has_caught_up = report->has_caught_up;
}

/* Puts the delays of a map that does not move into a structure. With an engine of
 * its own: frames may be under way. */
static void
settle_delays (GstStructure * delays, const GstVideoInfo * info,
    const SlitScanSettings * settings, const gchar * map_location,
    guint64 interval, guint64 present)
{
  SlitScanEngine *engine = slit_scan_engine_new ();
  SlitScanLayout layout;
  SlitScanReport report;
  SlitScanError error;
  GstVideoFrame image;
  SlitScanSize size = slit_scan_output_size (*settings);

  if (slit_scan_map_source (settings->map) == SLIT_SCAN_SOURCE_IMAGE
      && map_location != NULL
      && gst_slit_scan_map_file_read (map_location, &image, NULL)) {
    SlitScanFrame planes;

    gst_slit_scan_format_layout (&image.info, &layout);
    gst_slit_scan_format_planes (&image, &planes);
    slit_scan_engine_set_map (engine, SLIT_SCAN_MAP_IMAGE, &layout, &planes,
        &error);
    gst_video_frame_unmap (&image);
  }
  gst_slit_scan_format_layout (info, &layout);
  if (slit_scan_engine_configure (engine, &layout,
          size.width != 0 ? size.width : layout.width,
          size.height != 0 ? size.height : layout.height, settings, &error)
      && slit_scan_engine_settle (engine, interval, settings, &report, &error))
    gst_structure_set (delays,
        "mean-delay", G_TYPE_INT64, (gint64) (report.mean_delay - present),
        "center-delay", G_TYPE_INT64, (gint64) (report.center_delay - present),
        NULL);
  slit_scan_engine_free (engine);
}

GstStructure *
gst_slit_scan_settled_delays (GstSlitScan * self, GstCaps * caps,
    guint64 interval)
{
  g_autofree gchar *location = NULL;
  SlitScanSettings settings;
  GstStructure *delays;
  GstVideoInfo info;
  guint64 present;

  if (caps == NULL || !gst_caps_is_fixed (caps)
      || !gst_video_info_from_caps (&info, caps)
      || !gst_slit_scan_format_is_supported (info.finfo))
    return NULL;
  GST_OBJECT_LOCK (self);
  settings = self->values.settings;
  location = g_strdup (self->values.map_location);
  GST_OBJECT_UNLOCK (self);
  present = interval * gst_slit_scan_now_frames (&settings, settings.depth,
      interval);
  delays = gst_structure_new ("slitscan-delays", "latency", G_TYPE_UINT64,
      present, NULL);
  if (!slit_scan_source_moves (slit_scan_map_source (settings.map)))
    settle_delays (delays, &info, &settings, location, interval, present);
  return delays;
}

/* -- warnings and errors -------------------------------------------------- */

void
gst_slit_scan_warn_of_lack (GstSlitScan * self)
{
  SlitScanMapSource lack = slit_scan_map_source (self->stream.settings.map);
  gboolean is_there = TRUE;

  if (lack == SLIT_SCAN_SOURCE_IMAGE) {
    GST_OBJECT_LOCK (self);
    is_there = self->values.map_location != NULL
        && *self->values.map_location != '\0';
    GST_OBJECT_UNLOCK (self);
  } else if (lack == SLIT_SCAN_SOURCE_PAD) {
    is_there = gst_slit_scan_live_is_linked (self);
  }
  /* Which lacks nothing. */
  if (is_there)
    lack = SLIT_SCAN_SOURCE_FORMULA;
  if (lack == self->stream.lack)
    return;
  self->stream.lack = lack;
  if (lack == SLIT_SCAN_SOURCE_IMAGE)
    GST_ELEMENT_WARNING (self, RESOURCE, NOT_FOUND,
        ("map=image has no image file. Set map-location to a PNG, JPEG or "
            "PGM file."), ("map-location is not set"));
  else if (lack == SLIT_SCAN_SOURCE_PAD)
    GST_ELEMENT_WARNING (self, CORE, PAD,
        ("map=live has no video. Link one to the pad map, such as "
            "\"videotestsrc ! scan.map\" with slitscan name=scan."), (NULL));
}

/* TRUE for the first error since caps were set; the others say no more. */
static gboolean
is_first_error (GstSlitScan * self)
{
  gboolean is_first = !self->stream.error_is_posted;

  self->stream.error_is_posted = TRUE;
  return is_first;
}

void
gst_slit_scan_post_error (GstSlitScan * self, const SlitScanError * error)
{
  if (!is_first_error (self))
    return;
  if (error->code == SLIT_SCAN_ERROR_OUT_OF_MEMORY)
    GST_ELEMENT_ERROR (self, RESOURCE, NO_SPACE_LEFT, ("%s", error->message),
        (NULL));
  else
    GST_ELEMENT_ERROR (self, STREAM, FORMAT, ("%s", error->message), (NULL));
}

void
gst_slit_scan_post_unreadable (GstSlitScan * self, GstBuffer * buffer)
{
  const GstVideoInfo *info = &GST_VIDEO_FILTER (self)->in_info;
  gsize size = gst_buffer_get_size (buffer);

  if (!is_first_error (self))
    return;
  if (size < GST_VIDEO_INFO_SIZE (info))
    GST_ELEMENT_ERROR (self, STREAM, FORMAT,
        ("A frame does not match its caps: it has %" G_GSIZE_FORMAT " bytes, "
            "but %ux%u pixels of %s need %" G_GSIZE_FORMAT ". Correct the "
            "caps, or the element that makes the frames.", size,
            GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info),
            GST_VIDEO_INFO_NAME (info), GST_VIDEO_INFO_SIZE (info)),
        ("%" GST_PTR_FORMAT, buffer));
  else
    GST_ELEMENT_ERROR (self, STREAM, FORMAT,
        ("The memory of a frame cannot be read. %s",
            GST_SLIT_SCAN_GET_CLASS (self)->input_advice),
        ("%" GST_PTR_FORMAT, buffer));
}

void
gst_slit_scan_post_unwritable (GstSlitScan * self)
{
  GST_ELEMENT_ERROR (self, RESOURCE, WRITE,
      ("The output buffer that the downstream element provided does not match "
          "its caps."), (NULL));
}

void
gst_slit_scan_post_not_negotiated (GstSlitScan * self)
{
  const GstSlitScanClass *klass = GST_SLIT_SCAN_GET_CLASS (self);
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (trans->sinkpad);

  if (GST_PAD_IS_FLUSHING (trans->sinkpad)
      || GST_PAD_IS_FLUSHING (trans->srcpad) || !is_first_error (self))
    return;
  if (caps == NULL)
    GST_ELEMENT_ERROR (self, STREAM, WRONG_TYPE,
        ("%s", klass->input_advice), ("a buffer came without caps"));
  else
    GST_ELEMENT_ERROR (self, CORE, NEGOTIATION,
        ("%s", klass->output_advice), ("input is %" GST_PTR_FORMAT, caps));
}
