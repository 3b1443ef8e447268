/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The map from a picture file: `map-location` is followed, and what the loader
 * answers is told to the effect and to the application. */

#include "gstslitscanformat.h"
#include "gstslitscanprivate.h"

#define GST_CAT_DEFAULT gst_slit_scan_debug

/* How long the start of the stream waits for the picture. */
#define LONGEST_WAIT (5 * GST_SECOND)

/* What became of a location, given as text for a person: a file's name may be
 * in any encoding. */
static void
gst_slit_scan_image_tell (GstSlitScan * self, const gchar * location,
    const GstVideoFrame * frame, const GError * error)
{
  SlitScanLayout layout;
  SlitScanPicture picture;
  SlitScanError refusal;

  if (error != NULL) {
    gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_WARNING,
        error->domain, error->code, g_strdup (error->message),
        g_strdup_printf ("map-location is %s", location), __FILE__,
        GST_FUNCTION, __LINE__);
    return;
  }
  gst_slit_scan_format_layout (&frame->info, &layout);
  gst_slit_scan_format_picture (frame, &picture);
  if (!slit_scan_engine_set_map (self->engine, SLIT_SCAN_MAP_IMAGE, &layout,
          &picture, &refusal)) {
    GST_ELEMENT_WARNING (self, RESOURCE, FAILED, ("%s", refusal.message),
        ("map-location is %s", location));
    return;
  }
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          gst_structure_new ("slitscan-map-loaded",
              "location", G_TYPE_STRING, location, NULL)));
}

/* Called on the loader's thread. The picture that there was stays where there
 * is no other. */
static void
gst_slit_scan_image_loaded (const gchar * location, const GstVideoFrame * frame,
    const GError * error, gpointer user_data)
{
  gchar *name = g_filename_display_name (location);

  gst_slit_scan_image_tell (GST_SLIT_SCAN (user_data), name, frame, error);
  g_free (name);
}

static void
gst_slit_scan_image_forget (GstSlitScan * self)
{
  SlitScanError error;

  slit_scan_engine_set_map (self->engine, SLIT_SCAN_MAP_IMAGE, NULL, NULL,
      &error);
}

/* Loads what the property names now. */
static void
gst_slit_scan_image_load (GstSlitScan * self)
{
  gchar *location;

  GST_OBJECT_LOCK (self);
  location = g_strdup (self->values.map_location);
  self->known_text_count = self->values.text_count;
  GST_OBJECT_UNLOCK (self);

  if (location != NULL && *location != '\0') {
    if (self->map_file == NULL)
      self->map_file = gst_slit_scan_map_file_new (gst_slit_scan_image_loaded,
          self);
    gst_slit_scan_map_file_load (self->map_file, location);
  } else if (self->map_file != NULL) {
    gst_slit_scan_map_file_load (self->map_file, NULL);
    gst_slit_scan_image_forget (self);
  }
  g_free (location);
}

void
gst_slit_scan_image_start (GstSlitScan * self)
{
  gst_slit_scan_image_load (self);
  if (self->map_file != NULL
      && !gst_slit_scan_map_file_wait (self->map_file, LONGEST_WAIT))
    GST_INFO_OBJECT (self, "the stream starts before its map is loaded");
}

void
gst_slit_scan_image_follow (GstSlitScan * self)
{
  gboolean is_known;

  GST_OBJECT_LOCK (self);
  is_known = self->known_text_count == self->values.text_count;
  GST_OBJECT_UNLOCK (self);
  if (!is_known)
    gst_slit_scan_image_load (self);
}

void
gst_slit_scan_image_stop (GstSlitScan * self)
{
  if (self->map_file == NULL)
    return;
  g_clear_pointer (&self->map_file, gst_slit_scan_map_file_free);
  gst_slit_scan_image_forget (self);
}
