/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The file of `map-location`: finds it and checks that it may be read. */

#include "gstslitscanlocation.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <gst/gst.h>
#include <string.h>
#include <unistd.h>

/* The path that a location means, or NULL and an error. */
static gchar *
get_path (const gchar * location, GError ** error)
{
  gboolean is_file = g_ascii_strncasecmp (location, "file:/", 6) == 0;
  gchar *host = NULL;
  gchar *name, *path;

  if (!is_file && !(gst_uri_is_valid (location) && strstr (location, "://")))
    return g_canonicalize_filename (location, NULL);

  name = g_filename_display_name (location);
  path = is_file ? g_filename_from_uri (location, &host, NULL) : NULL;
  if (is_file && path == NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "%s is not a valid file URI. Set map-location to the path of an "
        "image file.", name);
  } else if (!is_file || (host != NULL && *host != '\0'
          && g_ascii_strcasecmp (host, "localhost") != 0)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "%s is not on this machine. Copy the image to a local file, and set "
        "map-location to that.", name);
    g_clear_pointer (&path, g_free);
  }
  g_free (name);
  g_free (host);
  return path;
}

/* Says why a file cannot be read. */
static void
set_open_error (GError ** error, const gchar * name, gint reason)
{
  if (reason == ENOENT || reason == ENOTDIR)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "There is no file %s. Set map-location to an image file.", name);
  else if (reason == EACCES || reason == EPERM)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "The file %s may not be read. Change its permissions, or set "
        "map-location to another image file.", name);
  else
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "The file %s cannot be read (%s). Set map-location to another image "
        "file.", name, g_strerror (reason));
}

static FILE *
open_file (const gchar * path, const gchar * name, GError ** error)
{
  GStatBuf status;
  FILE *file;
  gint fd;

  if (g_stat (path, &status) != 0) {
    set_open_error (error, name, errno);
    return NULL;
  }
  if (S_ISDIR (status.st_mode)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "%s is a folder. Set map-location to an image file in it.", name);
    return NULL;
  }
  if (!S_ISREG (status.st_mode)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "%s is a device or a pipe. Set map-location to an image file, or link "
        "a video to the pad `map`.", name);
    return NULL;
  }
  fd = g_open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
  file = fd >= 0 ? fdopen (fd, "rb") : NULL;
  if (file == NULL) {
    set_open_error (error, name, errno);
    if (fd >= 0)
      close (fd);
    return NULL;
  }
  if (status.st_size == 0) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE,
        "The file %s is empty. Save the image again, or set map-location to "
        "another one.", name);
    fclose (file);
    return NULL;
  }
  return file;
}

FILE *
gst_slit_scan_location_open (const gchar * location, gchar ** name,
    GError ** error)
{
  gchar *path = get_path (location, error);
  FILE *file = NULL;

  *name = g_filename_display_name (path != NULL ? path : location);
  if (path != NULL)
    file = open_file (path, *name, error);
  g_free (path);
  return file;
}
