/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The history on disk: it follows `history-location`, and says what the disk cannot
 * do. */

#include "gstslitscanprivate.h"

#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>

#define GST_CAT_DEFAULT gst_slit_scan_debug

/* The path of a folder, which may be a file URI; NULL if there is none. */
static gchar *
path_of (const gchar * location)
{
  g_autofree gchar *host = NULL;
  g_autofree gchar *path = NULL;

  if (location == NULL || *location == '\0')
    return NULL;
  if (g_ascii_strncasecmp (location, "file:/", 6) == 0)
    path = g_filename_from_uri (location, &host, NULL);
  /* What is elsewhere is no folder here, and will not open. */
  if (path == NULL || (host != NULL && *host != '\0'
          && g_ascii_strcasecmp (host, "localhost") != 0))
    return g_canonicalize_filename (location, NULL);
  return g_steal_pointer (&path);
}

static void
warn_of_memory (GstSlitScan * self, const gchar * path)
{
  g_autofree gchar *name = g_filename_display_name (path);
  struct statfs disk;

  if (self->engine_class->set_history_location == NULL)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
        ("%s keeps history in the memory of the GPU, and not in "
            "history-location. Use slitscan for a history on disk.",
            GST_OBJECT_NAME (gst_element_get_factory (GST_ELEMENT (self)))),
        ("history-location is %s", name));
  else if (g_file_test (path, G_FILE_TEST_IS_DIR)
      && statfs (path, &disk) == 0
      && (disk.f_type == TMPFS_MAGIC || disk.f_type == RAMFS_MAGIC))
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
        ("%s is in memory, not on a disk. Set history-location to a folder on "
            "a disk.", name), ("the file system is tmpfs or ramfs"));
}

void
gst_slit_scan_disk_follow (GstSlitScan * self)
{
  GstSlitScanDisk *known = &self->stream.disk;
  gchar *path = NULL;
  gboolean is_news;

  GST_OBJECT_LOCK (self);
  is_news = known->text_count != self->values.text_count;
  if (is_news) {
    known->text_count = self->values.text_count;
    path = path_of (self->values.history_location);
  }
  GST_OBJECT_UNLOCK (self);
  /* Another text may have changed. */
  if (!is_news || g_strcmp0 (path, known->path) == 0) {
    g_free (path);
    return;
  }
  if (path != NULL)
    warn_of_memory (self, path);
  g_free (known->path);
  *known = (GstSlitScanDisk) {
  .path = path,.text_count = known->text_count};
  if (self->engine_class->set_history_location != NULL)
    self->engine_class->set_history_location (self->engine, path);
}

void
gst_slit_scan_disk_clear (GstSlitScan * self)
{
  if (self->stream.disk.path != NULL
      && self->engine_class->set_history_location != NULL)
    self->engine_class->set_history_location (self->engine, NULL);
  g_free (self->stream.disk.path);
  memset (&self->stream.disk, 0, sizeof (self->stream.disk));
}

static void
warn_of_failure (GstSlitScan * self, const SlitScanReport * report)
{
  g_autofree gchar *name = g_filename_display_name (self->stream.disk.path);
  const gchar *reason = g_strerror (report->disk_error);

  switch (report->disk_failure) {
    case SLIT_SCAN_DISK_OPEN:
      GST_ELEMENT_WARNING (self, RESOURCE, OPEN_READ_WRITE,
          ("No history can be kept in %s: %s. The effect continues with history "
              "in memory. Set history-location to a folder that can be written "
              "to.", name, reason), (NULL));
      break;
    case SLIT_SCAN_DISK_WRITE:
      GST_ELEMENT_WARNING (self, RESOURCE, WRITE,
          ("History can no longer be written to %s: %s. The effect continues "
              "with the newest frame, and history in memory. Check the disk.",
              name, reason), (NULL));
      break;
    case SLIT_SCAN_DISK_READ:
      GST_ELEMENT_WARNING (self, RESOURCE, READ,
          ("History can no longer be read from %s: %s. The effect continues "
              "with the newest frame, and history in memory. Check the disk.",
              name, reason), (NULL));
      break;
    default:
      break;
  }
}

/* The bytes a second of a time in nanoseconds. */
static guint64
rate (guint64 bytes, guint64 time)
{
  return time == 0 ? 0 : gst_util_uint64_scale (bytes, GST_SECOND, time);
}

/* Says that frames were late in a time of the stream. */
static void
post_lateness (GstSlitScan * self, const SlitScanReport * report,
    GstClockTime time)
{
  GstSlitScanDisk *disk = &self->stream.disk;
  guint64 bytes = report->disk_bytes_read + report->disk_bytes_written
      - disk->bytes;
  guint64 waited = report->disk_waiting_time - disk->waiting_time;

  gst_slit_scan_post (self, gst_structure_new ("slitscan-history-late",
          "late-frames", G_TYPE_UINT64,
          report->disk_late_frames - disk->late_frames,
          "waiting-time", G_TYPE_UINT64, waited,
          "needed-rate", G_TYPE_UINT64, rate (bytes, time),
          "rate", G_TYPE_UINT64, rate (bytes, time + waited), NULL));
  if (!disk->has_warned_of_lateness)
    GST_ELEMENT_WARNING (self, RESOURCE, BUSY,
        ("Frames are late because they wait for the history on disk. Use a "
            "faster disk, raise max-memory, set a smaller %s, or keep the map "
            "still.", self->stream.settings.duration > 0
            ? "duration" : "depth"),
        ("%" G_GUINT64_FORMAT " frames waited for %" GST_TIME_FORMAT,
            report->disk_late_frames,
            GST_TIME_ARGS (report->disk_waiting_time)));
  disk->has_warned_of_lateness = TRUE;
}

/* Looks once a second of running time whether frames are late. */
static void
follow_lateness (GstSlitScan * self, const SlitScanReport * report)
{
  GstSlitScanDisk *disk = &self->stream.disk;
  guint64 bytes = report->disk_bytes_read + report->disk_bytes_written;
  GstClockTime now = self->stream.time;
  /* The counts begin anew with each history, and time after a flush. */
  gboolean is_new = bytes < disk->bytes || now < disk->since
      || report->disk_late_frames < disk->late_frames;

  if (!is_new && now - disk->since < GST_SECOND)
    return;
  /* Frames that waited for less than a tenth of the time were in time. */
  if (!is_new && report->disk_waiting_time - disk->waiting_time
      >= (now - disk->since) / 10)
    post_lateness (self, report, now - disk->since);
  disk->since = now;
  disk->bytes = is_new ? 0 : bytes;
  disk->late_frames = is_new ? 0 : report->disk_late_frames;
  disk->waiting_time = is_new ? 0 : report->disk_waiting_time;
}

void
gst_slit_scan_disk_report (GstSlitScan * self, const SlitScanReport * report)
{
  if (self->stream.disk.path == NULL)
    return;
  if (report->disk_failure != self->stream.disk.failure) {
    self->stream.disk.failure = report->disk_failure;
    warn_of_failure (self, report);
  }
  follow_lateness (self, report);
}
