/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Picture files as maps: which file is wanted, and the thread that decodes it.
 *
 * Locations are numbered as they come; whatever is known about any but the
 * newest is dropped.
 *
 * Locks: the mutex is never held while func is called. A map decoder's own
 * mutex is taken within it. */

#include "gstslitscanmapfile.h"

#include "gstslitscanmapdecoder.h"

/* How long, in microseconds, to wait for a thread that is in the middle of a
 * large picture, where a decoder cannot be interrupted. Then it is left to end
 * by itself. */
#define PATIENCE_AT_END (G_USEC_PER_SEC / 4)

struct _GstSlitScanMapFile
{
  GstSlitScanMapFileFunc func;
  gpointer user_data;

  GMutex mutex;
  GCond cond;

  /* Guarded by the mutex. */
  gchar *location;
  guint64 wanted;               /* the number of the location */
  guint64 finished;             /* the number of the last that is done with */
  GstSlitScanMapDecoder *decoder;       /* of the location at work */
  GThread *thread;              /* from the first location on */
  gboolean thread_has_ended;
  gboolean is_calling;
  gboolean is_ending;
  gboolean is_abandoned;        /* the thread frees this */
};

GstSlitScanMapFile *
gst_slit_scan_map_file_new (GstSlitScanMapFileFunc func, gpointer user_data)
{
  GstSlitScanMapFile *self = g_new0 (GstSlitScanMapFile, 1);

  self->func = func;
  self->user_data = user_data;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  return self;
}

static void
gst_slit_scan_map_file_destroy (GstSlitScanMapFile * self)
{
  g_free (self->location);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self);
}

/* -- the thread ----------------------------------------------------------- */

static void
gst_slit_scan_map_file_report (GstSlitScanMapFile * self,
    const gchar * location, GstSample * sample, const GError * error)
{
  GstVideoInfo info;
  GstVideoFrame frame;
  GError *unusable;
  gchar *name;

  if (sample == NULL) {
    self->func (location, NULL, error, self->user_data);
    return;
  }
  if (gst_video_info_from_caps (&info, gst_sample_get_caps (sample))
      && gst_video_frame_map (&frame, &info, gst_sample_get_buffer (sample),
          GST_MAP_READ)) {
    self->func (location, &frame, NULL, self->user_data);
    gst_video_frame_unmap (&frame);
    return;
  }
  name = g_filename_display_name (location);
  unusable = g_error_new (GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
      "What GStreamer decodes %s to cannot be used. Save the picture again as "
      "PNG.", name);
  self->func (location, NULL, unusable, self->user_data);
  g_error_free (unusable);
  g_free (name);
}

/* Loads the newest location, with the mutex held but for the work itself. */
static void
gst_slit_scan_map_file_load_newest (GstSlitScanMapFile * self)
{
  guint64 number = self->wanted;
  gchar *location = g_strdup (self->location);
  GstSlitScanMapDecoder *decoder = gst_slit_scan_map_decoder_new (location);
  GstSample *sample;
  GError *error = NULL;

  self->decoder = decoder;
  g_mutex_unlock (&self->mutex);
  sample = gst_slit_scan_map_decoder_decode (decoder, &error);
  g_mutex_lock (&self->mutex);
  self->decoder = NULL;

  if (number == self->wanted && !self->is_ending) {
    self->is_calling = TRUE;
    g_mutex_unlock (&self->mutex);
    gst_slit_scan_map_file_report (self, location, sample, error);
    g_mutex_lock (&self->mutex);
    self->is_calling = FALSE;
  }
  if (number == self->wanted)
    self->finished = number;
  g_cond_broadcast (&self->cond);

  g_mutex_unlock (&self->mutex);
  gst_slit_scan_map_decoder_free (decoder);
  g_clear_pointer (&sample, gst_sample_unref);
  g_clear_error (&error);
  g_free (location);
  g_mutex_lock (&self->mutex);
}

static gpointer
gst_slit_scan_map_file_work (gpointer data)
{
  GstSlitScanMapFile *self = data;
  gboolean is_abandoned;

  g_mutex_lock (&self->mutex);
  while (!self->is_ending) {
    if (self->finished == self->wanted)
      g_cond_wait (&self->cond, &self->mutex);
    else
      gst_slit_scan_map_file_load_newest (self);
  }
  self->thread_has_ended = TRUE;
  is_abandoned = self->is_abandoned;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);

  if (is_abandoned)
    gst_slit_scan_map_file_destroy (self);
  return NULL;
}

/* -- any thread ----------------------------------------------------------- */

void
gst_slit_scan_map_file_load (GstSlitScanMapFile * self, const gchar * location)
{
  g_mutex_lock (&self->mutex);
  g_free (self->location);
  self->location = location != NULL && *location != '\0' ? g_strdup (location)
      : NULL;
  self->wanted++;
  if (self->decoder != NULL)
    gst_slit_scan_map_decoder_interrupt (self->decoder);

  if (self->location == NULL) {
    self->finished = self->wanted;
    while (self->is_calling)
      g_cond_wait (&self->cond, &self->mutex);
  } else if (self->thread == NULL) {
    GError *error = NULL;

    self->thread = g_thread_try_new ("slitscan-map",
        gst_slit_scan_map_file_work, self, &error);
    /* The next location tries again. */
    if (self->thread == NULL)
      GST_ERROR ("no thread to load %s: %s", location, error->message);
    g_clear_error (&error);
  }
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

gboolean
gst_slit_scan_map_file_wait (GstSlitScanMapFile * self, GstClockTime timeout)
{
  gint64 end = g_get_monotonic_time ();
  gboolean is_finished;

  end += MIN (timeout / 1000, (guint64) (G_MAXINT64 - end));
  g_mutex_lock (&self->mutex);
  while (self->finished != self->wanted
      && g_cond_wait_until (&self->cond, &self->mutex, end));
  is_finished = self->finished == self->wanted;
  g_mutex_unlock (&self->mutex);
  return is_finished;
}

void
gst_slit_scan_map_file_free (GstSlitScanMapFile * self)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_AT_END;
  GThread *thread;
  gboolean is_abandoned;

  g_mutex_lock (&self->mutex);
  self->is_ending = TRUE;
  if (self->decoder != NULL)
    gst_slit_scan_map_decoder_interrupt (self->decoder);
  g_cond_broadcast (&self->cond);
  while (self->is_calling)
    g_cond_wait (&self->cond, &self->mutex);
  thread = self->thread;
  while (thread != NULL && !self->thread_has_ended
      && g_cond_wait_until (&self->cond, &self->mutex, end));
  is_abandoned = thread != NULL && !self->thread_has_ended;
  self->is_abandoned = is_abandoned;
  g_mutex_unlock (&self->mutex);

  if (is_abandoned) {
    g_thread_unref (thread);
    return;
  }
  if (thread != NULL)
    g_thread_join (thread);
  gst_slit_scan_map_file_destroy (self);
}
