/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The effect on frames in system memory: maps them, and describes their planes
 * to the engine. */

#include "gstslitscanformat.h"
#include "gstslitscanprivate.h"

/* A mapped frame as the engine takes it. */
typedef struct
{
  GstVideoFrame frame;
  SlitScanFrame planes;
} MappedFrame;

static gboolean
map_frame (MappedFrame * mapped, const GstSlitScanFrame * frame,
    GstMapFlags flags)
{
  if (!gst_video_frame_map (&mapped->frame, frame->info, frame->buffer,
          flags | GST_VIDEO_FRAME_MAP_FLAG_NO_REF))
    return FALSE;
  gst_slit_scan_format_planes (&mapped->frame, &mapped->planes);
  return TRUE;
}

static gpointer
create (GstSlitScan * element)
{
  return slit_scan_engine_new ();
}

static gboolean
configure (gpointer engine, const GstVideoInfo * info, gint output_width,
    gint output_height, const SlitScanSettings * settings,
    SlitScanError * error)
{
  SlitScanLayout layout;

  gst_slit_scan_format_layout (info, &layout);
  return slit_scan_engine_configure (engine, &layout, output_width,
      output_height, settings, error);
}

static GstSlitScanOutcome
process (gpointer engine, const GstSlitScanFrame * source,
    const GstSlitScanFrame * target, guint64 time,
    const SlitScanSettings * settings, SlitScanReport * report,
    SlitScanError * error)
{
  MappedFrame in, out;
  gboolean is_done;

  if (source != NULL && !map_frame (&in, source, GST_MAP_READ))
    return GST_SLIT_SCAN_UNREADABLE;
  if (target != NULL && !map_frame (&out, target, GST_MAP_WRITE)) {
    if (source != NULL)
      gst_video_frame_unmap (&in.frame);
    return GST_SLIT_SCAN_UNWRITABLE;
  }
  is_done = slit_scan_engine_process (engine,
      source != NULL ? &in.planes : NULL, target != NULL ? &out.planes : NULL,
      time, settings, report, error);
  if (target != NULL)
    gst_video_frame_unmap (&out.frame);
  if (source != NULL)
    gst_video_frame_unmap (&in.frame);
  return is_done ? GST_SLIT_SCAN_DONE : GST_SLIT_SCAN_FAILED;
}

static gboolean
set_map (gpointer engine, SlitScanMap map, const GstSlitScanFrame * image,
    SlitScanError * error)
{
  SlitScanLayout layout;
  MappedFrame mapped;
  gboolean is_set;

  if (image == NULL)
    return slit_scan_engine_set_map (engine, map, NULL, NULL, error);
  if (!map_frame (&mapped, image, GST_MAP_READ)) {
    error->code = SLIT_SCAN_ERROR_FRAME_TOO_SMALL;
    g_strlcpy (error->message, "A frame of the map does not match its caps.",
        sizeof (error->message));
    return FALSE;
  }
  gst_slit_scan_format_layout (image->info, &layout);
  is_set = slit_scan_engine_set_map (engine, map, &layout, &mapped.planes,
      error);
  gst_video_frame_unmap (&mapped.frame);
  return is_set;
}

static GstBuffer *
redraw (gpointer engine, const GstVideoInfo * info, guint64 * time)
{
  GstSlitScanFrame target = { NULL, info };
  SlitScanLayout layout;
  MappedFrame mapped;
  gboolean is_drawn = FALSE;

  target.buffer =
      gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);
  if (target.buffer == NULL)
    return NULL;
  if (map_frame (&mapped, &target, GST_MAP_WRITE)) {
    gst_slit_scan_format_layout (info, &layout);
    is_drawn = slit_scan_engine_redraw (engine, &layout, time, &mapped.planes);
    gst_video_frame_unmap (&mapped.frame);
  }
  if (!is_drawn)
    gst_clear_buffer (&target.buffer);
  return target.buffer;
}

static GstSlitScanOutcome
draw_ages (gpointer engine, const GstSlitScanFrame * target,
    SlitScanError * error)
{
  MappedFrame mapped;
  gboolean is_drawn;

  if (!map_frame (&mapped, target, GST_MAP_WRITE))
    return GST_SLIT_SCAN_UNWRITABLE;
  is_drawn = slit_scan_engine_draw_ages (engine, &mapped.planes, error);
  gst_video_frame_unmap (&mapped.frame);
  return is_drawn ? GST_SLIT_SCAN_DONE : GST_SLIT_SCAN_FAILED;
}

static void
free_engine (gpointer engine)
{
  slit_scan_engine_free (engine);
}

static void
set_history_location (gpointer engine, const gchar * folder)
{
  slit_scan_engine_set_history_location (engine, folder);
}

static void
forget (gpointer engine)
{
  slit_scan_engine_forget (engine);
}

static void
release (gpointer engine)
{
  slit_scan_engine_release (engine);
}

const GstSlitScanEngineClass gst_slit_scan_system_engine_class = {
  .create = create,
  .free = free_engine,
  .configure = configure,
  .process = process,
  .set_map = set_map,
  .redraw = redraw,
  .draw_ages = draw_ages,
  .set_history_location = set_history_location,
  .forget = forget,
  .release = release,
};
