/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The loader of the map image: it follows `map-location`, and hands the result
 * to the effect or posts a warning.
 *
 * A location set before the element starts is read by the thread that starts
 * it, so that the first frame has its map. A location set later is read by a
 * thread of a pool, which only leaves the result in the element, where the next
 * frame finds it: no frame waits for it. The result is dropped if another
 * location has been set meanwhile. */

#include "gstslitscanmapfile.h"
#include "gstslitscanprivate.h"

#define GST_CAT_DEFAULT gst_slit_scan_debug

/* So that the newest image need not wait for one that is not wanted any more,
 * and many of those do not take all the memory. */
#define MOST_READERS 2

/* A location, and what was read there: an image or an error. */
struct _GstSlitScanMapReading
{
  gchar *location;
  guint text_count;             /* says which setting of map-location it is */
  gboolean is_read;
  GstVideoFrame frame;
  GError *error;
};

static void
free_reading (GstSlitScanMapReading * reading)
{
  if (reading == NULL)
    return;
  g_free (reading->location);
  if (reading->is_read)
    gst_video_frame_unmap (&reading->frame);
  g_clear_error (&reading->error);
  g_free (reading);
}

static void
read_location (GstSlitScanMapReading * reading)
{
  reading->is_read = gst_slit_scan_map_file_read (reading->location,
      &reading->frame, &reading->error);
}

/* On a thread of the pool. */
static void
read_if_wanted (gpointer data, gpointer user_data)
{
  GstSlitScanMapReading *reading = data;
  GstSlitScanMapState *map = user_data;
  gboolean is_wanted;

  g_mutex_lock (&map->lock);
  is_wanted = reading->text_count == map->known_text_count;
  g_mutex_unlock (&map->lock);
  if (is_wanted)
    read_location (reading);

  g_mutex_lock (&map->lock);
  if (reading->text_count == map->known_text_count)
    map->reading = g_steal_pointer (&reading);
  g_mutex_unlock (&map->lock);
  free_reading (reading);
}

/* Gives the image to the effect, if there is one; else, the one that there
 * was stays. A file's name may be in any encoding. */
static void
show (GstSlitScan * self, GstSlitScanMapReading * reading)
{
  g_autofree gchar *name = g_filename_display_name (reading->location);
  const GError *error = reading->error;
  const GstSlitScanFrame image = {
    reading->frame.buffer, &reading->frame.info
  };
  SlitScanError refusal;

  if (error != NULL)
    gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_WARNING,
        error->domain, error->code, g_strdup (error->message),
        g_strdup_printf ("map-location is %s", name), __FILE__,
        GST_FUNCTION, __LINE__);
  else if (self->engine_class->set_map (self->engine, SLIT_SCAN_MAP_IMAGE,
          &image, &refusal))
    gst_slit_scan_post (self, gst_structure_new ("slitscan-map-loaded",
            "location", G_TYPE_STRING, name, NULL));
  else
    GST_ELEMENT_WARNING (self, RESOURCE, FAILED, ("%s", refusal.message),
        ("map-location is %s", name));
  free_reading (reading);
}

/* The location to read now, if any. An earlier result is dropped. */
static GstSlitScanMapReading *
next_reading (GstSlitScan * self)
{
  GstSlitScanMapReading *reading = NULL, *former;
  const gchar *location;
  guint text_count;

  GST_OBJECT_LOCK (self);
  location = self->values.map_location;
  text_count = self->values.text_count;
  if (location != NULL && *location != '\0') {
    reading = g_new0 (GstSlitScanMapReading, 1);
    reading->location = g_strdup (location);
    reading->text_count = text_count;
  }
  GST_OBJECT_UNLOCK (self);
  g_mutex_lock (&self->map.lock);
  self->map.known_text_count = text_count;
  former = g_steal_pointer (&self->map.reading);
  g_mutex_unlock (&self->map.lock);
  free_reading (former);
  return reading;
}

void
gst_slit_scan_image_start (GstSlitScan * self)
{
  GstSlitScanMapReading *reading = next_reading (self);

  if (reading != NULL) {
    read_location (reading);
    show (self, reading);
  }
}

void
gst_slit_scan_image_follow (GstSlitScan * self)
{
  GstSlitScanMapReading *reading = NULL;
  gboolean is_known;
  guint text_count;

  GST_OBJECT_LOCK (self);
  text_count = self->values.text_count;
  GST_OBJECT_UNLOCK (self);
  g_mutex_lock (&self->map.lock);
  is_known = self->map.known_text_count == text_count;
  if (is_known)
    reading = g_steal_pointer (&self->map.reading);
  g_mutex_unlock (&self->map.lock);
  if (reading != NULL)
    show (self, reading);
  if (is_known)
    return;

  reading = next_reading (self);
  if (reading == NULL) {
    gst_slit_scan_forget_map (self, SLIT_SCAN_MAP_IMAGE);
    return;
  }
  if (self->map.readers == NULL)
    self->map.readers = g_thread_pool_new_full (read_if_wanted, &self->map,
        (GDestroyNotify) free_reading, MOST_READERS, FALSE, NULL);
  g_thread_pool_push (self->map.readers, reading, NULL);
}

void
gst_slit_scan_image_stop (GstSlitScan * self)
{
  GstSlitScanMapReading *reading;

  if (self->map.readers != NULL)
    g_thread_pool_free (self->map.readers, TRUE, TRUE);
  self->map.readers = NULL;
  g_mutex_lock (&self->map.lock);
  reading = g_steal_pointer (&self->map.reading);
  g_mutex_unlock (&self->map.lock);
  free_reading (reading);
  gst_slit_scan_forget_map (self, SLIT_SCAN_MAP_IMAGE);
}
