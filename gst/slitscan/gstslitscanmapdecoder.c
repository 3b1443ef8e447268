/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* One picture file, decoded by the pipeline
 *
 *   filesrc ! decodebin ! videoconvert ! pad `end`
 *
 * whose pad at the end is the decoder's own: it takes the formats that the
 * element scans, and sees a second picture, and the end of the file.
 *
 * Threads and locks: the caller's thread builds the pipeline, waits for the
 * verdict and takes the pipeline down. The pipeline's threads only note what
 * they see, under the mutex. A decoder that goes round in circles cannot be
 * stopped: it is left to itself, with all that it can reach, so that other
 * pictures can be read.
 *
 * The rotation that a camera writes into its files is ignored. A JPEG file
 * that is damaged in its middle is decoded as far as it goes: no decoder tells.
 */

#include "gstslitscanmapdecoder.h"

#include "gstslitscanfileheader.h"
#include "gstslitscanformat.h"
#include "gstslitscanlocation.h"
#include "gstslitscanpng16.h"

#include <sys/stat.h>

GST_DEBUG_CATEGORY_EXTERN (gst_slit_scan_debug);
#define GST_CAT_DEFAULT gst_slit_scan_debug

/* Pixels. Decoders take memory for whole pictures, and a file of a few
 * kilobytes can claim any size. */
#define LARGEST_SIDE 16384

/* A decoder that has said nothing for so long, in microseconds, never will;
 * some go round in circles at the end of a damaged file. */
#define PATIENCE (60 * G_USEC_PER_SEC)

/* What comes after a picture comes at once, the end included; but the GIF
 * reader of gst-libav 1.22 never finds the end: there it asks for more, again
 * and again. Once that has happened so often, a picture that was found in the
 * file comes at once, too, and nothing more is found. */
#define PATIENCE_FOR_MORE (2 * G_USEC_PER_SEC)
#define MANY_READS_BEHIND_END 1000

/* A decoder that has not stopped for so long, in microseconds, never will. */
#define PATIENCE_FOR_END (2 * G_USEC_PER_SEC)

/* What became of a file. The first verdict counts. */
typedef enum
{
  VERDICT_NONE,
  VERDICT_PICTURE,
  VERDICT_NO_PICTURE,
  VERDICT_MANY_PICTURES,
  VERDICT_TOO_LARGE,
  VERDICT_NO_DECODER,
  VERDICT_TOO_SLOW,
  VERDICT_INTERRUPTED
} Verdict;

struct _GstSlitScanMapDecoder
{
  gchar *location;
  gchar *path;
  gchar *name;                  /* the path as text for a person */
  GstSlitScanFileHeader header;
  guint64 size;                 /* of the file, in bytes */

  GMutex mutex;
  GCond cond;

  /* Guarded by the mutex. */
  gboolean is_running;          /* the pipeline's state stays as it is */
  Verdict verdict;
  guint reads_behind_end;
  gboolean is_opened;           /* something was found in the file */
  GstSample *picture;
  gchar *media_type;            /* what the file was found to be */
  gchar *missing;               /* the decoder that is not installed */
  gint width;                   /* of a picture that is too large */
  gint height;
  GstPad *converter;            /* where decoded pictures go */
  gboolean is_down;             /* the pipeline has stopped, */
  gboolean is_left;             /* or never will */
};

static const gchar *const element_names[] = {
  "filesrc", "decodebin", "videoconvert"
};

GstSlitScanMapDecoder *
gst_slit_scan_map_decoder_new (const gchar * location)
{
  GstSlitScanMapDecoder *self = g_new0 (GstSlitScanMapDecoder, 1);

  self->location = g_strdup (location);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  return self;
}

void
gst_slit_scan_map_decoder_free (GstSlitScanMapDecoder * self)
{
  gboolean is_left;

  /* Whoever held it last is known to have let go. */
  g_mutex_lock (&self->mutex);
  is_left = self->is_left;
  g_mutex_unlock (&self->mutex);
  if (is_left)
    return;
  g_free (self->location);
  g_free (self->path);
  g_free (self->name);
  g_free (self->media_type);
  g_free (self->missing);
  g_clear_pointer (&self->picture, gst_sample_unref);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self);
}

/* With the mutex held. */
static void
gst_slit_scan_map_decoder_decide (GstSlitScanMapDecoder * self, Verdict verdict)
{
  if (self->verdict != VERDICT_NONE)
    return;
  self->verdict = verdict;
  g_cond_broadcast (&self->cond);
}

static void
gst_slit_scan_map_decoder_decide_now (GstSlitScanMapDecoder * self,
    Verdict verdict)
{
  g_mutex_lock (&self->mutex);
  gst_slit_scan_map_decoder_decide (self, verdict);
  g_mutex_unlock (&self->mutex);
}

void
gst_slit_scan_map_decoder_interrupt (GstSlitScanMapDecoder * self)
{
  gst_slit_scan_map_decoder_decide_now (self, VERDICT_INTERRUPTED);
}

/* -- the file ------------------------------------------------------------- */

static void
set_size_error (GError ** error, const gchar * name, guint width, guint height)
{
  g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "The picture %s has %u×%u pixels, and a map can have %d×%d. Make it "
      "smaller; it is scaled to the video anyway.", name, width, height,
      LARGEST_SIDE, LARGEST_SIDE);
}

static gboolean
gst_slit_scan_map_decoder_check_file (GstSlitScanMapDecoder * self,
    GError ** error)
{
  GstSlitScanFileHeader *header = &self->header;
  struct stat status;
  FILE *file;

  self->path = gst_slit_scan_location_get_path (self->location, error);
  if (self->path == NULL)
    return FALSE;
  self->name = g_filename_display_name (self->path);
  file = gst_slit_scan_location_open (self->path, self->name, error);
  if (file == NULL)
    return FALSE;

  gst_slit_scan_file_header_read (file, header);
  self->size =
      fstat (fileno (file), &status) == 0 ? status.st_size : G_MAXUINT64;
  fclose (file);
  if (header->width > LARGEST_SIDE || header->height > LARGEST_SIDE) {
    set_size_error (error, self->name, header->width, header->height);
    return FALSE;
  }
  if (header->begins_twice) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
        "The picture %s is damaged. Copy or save it again.", self->name);
    return FALSE;
  }
  if (header->is_cut_short) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
        "The picture %s is cut short. Copy or save it again.", self->name);
    return FALSE;
  }
  return TRUE;
}

/* -- in the pipeline's threads -------------------------------------------- */

/* FALSE if pictures of the caps are too large, which is then the verdict. With
 * the mutex held. */
static gboolean
gst_slit_scan_map_decoder_check_size (GstSlitScanMapDecoder * self,
    const GstStructure * structure)
{
  gint width = 0, height = 0;

  gst_structure_get_int (structure, "width", &width);
  gst_structure_get_int (structure, "height", &height);
  if (width <= LARGEST_SIDE && height <= LARGEST_SIDE)
    return TRUE;

  if (self->verdict == VERDICT_NONE) {
    self->width = width;
    self->height = height;
  }
  gst_slit_scan_map_decoder_decide (self, VERDICT_TOO_LARGE);
  return FALSE;
}

/* Before a part of the file is read. */
static GstPadProbeReturn
gst_slit_scan_map_decoder_read (GstPad * pad, GstPadProbeInfo * info,
    gpointer data)
{
  GstSlitScanMapDecoder *self = data;

  if (info->offset >= self->size) {
    g_mutex_lock (&self->mutex);
    if (self->reads_behind_end < MANY_READS_BEHIND_END
        && ++self->reads_behind_end == MANY_READS_BEHIND_END) {
      if (!self->is_opened)
        gst_slit_scan_map_decoder_decide (self, VERDICT_NO_PICTURE);
      g_cond_broadcast (&self->cond);
    }
    g_mutex_unlock (&self->mutex);
  }
  return GST_PAD_PROBE_PASS;
}

/* Asked with everything that decodebin finds in the file, the file itself
 * first: only pictures are decoded, and neither sound, nor a playlist that
 * leads into the network, nor a film. Besides, decodebin 1.22 now and then
 * loses the error of a film's demuxer that fails at once, and says nothing. */
static gboolean
gst_slit_scan_map_decoder_continue (GstElement * decodebin, GstPad * pad,
    GstCaps * caps, GstSlitScanMapDecoder * self)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gchar *media_type = gst_structure_get_name (structure);
  gboolean is_file, is_small;

  g_mutex_lock (&self->mutex);
  is_file = self->media_type == NULL;
  if (is_file)
    self->media_type = g_strdup (media_type);
  else
    self->is_opened = TRUE;
  is_small = gst_slit_scan_map_decoder_check_size (self, structure);
  g_mutex_unlock (&self->mutex);

  return is_small && (g_str_has_prefix (media_type, "image/")
      || (!is_file && g_str_has_prefix (media_type, "video/")));
}

/* Links decoded pictures. Not while the pipeline's state changes, as its bin
 * would take a link that comes meanwhile for a loop.
 *
 * A picture that is too large is linked all the same: the pad at the end
 * refuses it, and so its decoder is told before it takes memory. */
static void
gst_slit_scan_map_decoder_pad_added (GstElement * decodebin, GstPad * pad,
    GstSlitScanMapDecoder * self)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  const GstStructure *structure;

  if (caps == NULL)
    return;
  structure = gst_caps_get_structure (caps, 0);

  g_mutex_lock (&self->mutex);
  while (!self->is_running && self->verdict == VERDICT_NONE)
    g_cond_wait (&self->cond, &self->mutex);
  if (self->verdict == VERDICT_NONE
      && gst_structure_has_name (structure, "video/x-raw")
      && !gst_pad_is_linked (self->converter)) {
    gst_pad_link (pad, self->converter);
    gst_slit_scan_map_decoder_check_size (self, structure);
  }
  g_mutex_unlock (&self->mutex);
  gst_caps_unref (caps);
}

static void
gst_slit_scan_map_decoder_no_more_pads (GstElement * decodebin,
    GstSlitScanMapDecoder * self)
{
  g_mutex_lock (&self->mutex);
  if (!gst_pad_is_linked (self->converter))
    gst_slit_scan_map_decoder_decide (self, VERDICT_NO_PICTURE);
  g_mutex_unlock (&self->mutex);
}

/* Takes one picture and no other. */
static GstFlowReturn
gst_slit_scan_map_decoder_chain (GstPad * pad, GstObject * parent,
    GstBuffer * buffer)
{
  GstSlitScanMapDecoder *self = gst_pad_get_element_private (pad);
  GstFlowReturn flow = GST_FLOW_OK;

  g_mutex_lock (&self->mutex);
  if (self->picture != NULL) {
    gst_slit_scan_map_decoder_decide (self, VERDICT_MANY_PICTURES);
    flow = GST_FLOW_EOS;
  } else if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_CORRUPTED)) {
    gst_slit_scan_map_decoder_decide (self, VERDICT_NO_PICTURE);
    flow = GST_FLOW_EOS;
  } else {
    GstCaps *caps = gst_pad_get_current_caps (pad);

    self->picture = gst_sample_new (buffer, caps, NULL, NULL);
    gst_clear_caps (&caps);
    g_cond_broadcast (&self->cond);
  }
  g_mutex_unlock (&self->mutex);
  gst_buffer_unref (buffer);
  return flow;
}

/* A picture is whole when it comes; what is behind it in the file need not be
 * one. */
static void
gst_slit_scan_map_decoder_end (GstSlitScanMapDecoder * self, Verdict otherwise)
{
  g_mutex_lock (&self->mutex);
  gst_slit_scan_map_decoder_decide (self, self->picture != NULL
      ? VERDICT_PICTURE : otherwise);
  g_mutex_unlock (&self->mutex);
}

static gboolean
gst_slit_scan_map_decoder_event (GstPad * pad, GstObject * parent,
    GstEvent * event)
{
  GstSlitScanMapDecoder *self = gst_pad_get_element_private (pad);

  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    gst_slit_scan_map_decoder_end (self, VERDICT_NO_PICTURE);
  gst_event_unref (event);
  return TRUE;
}

/* Of a failing pipeline's errors, the first is the cause. */
static void
gst_slit_scan_map_decoder_take_error (GstSlitScanMapDecoder * self,
    GstMessage * message)
{
  GError *error;
  gchar *details;

  gst_message_parse_error (message, &error, &details);
  GST_INFO ("%s: %s (%s)", self->path, error->message, details);
  if (g_error_matches (error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN)
      || g_error_matches (error, GST_STREAM_ERROR,
          GST_STREAM_ERROR_CODEC_NOT_FOUND))
    gst_slit_scan_map_decoder_end (self, VERDICT_NO_DECODER);
  else
    gst_slit_scan_map_decoder_end (self, VERDICT_NO_PICTURE);
  g_error_free (error);
  g_free (details);
}

/* In the thread that posts. */
static GstBusSyncReply
gst_slit_scan_map_decoder_message (GstBus * bus, GstMessage * message,
    gpointer data)
{
  GstSlitScanMapDecoder *self = data;
  const GstStructure *structure = gst_message_get_structure (message);

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_slit_scan_map_decoder_take_error (self, message);
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT
      && gst_structure_has_name (structure, "missing-plugin")) {
    g_mutex_lock (&self->mutex);
    if (self->missing == NULL)
      self->missing = g_strdup (gst_structure_get_string (structure, "name"));
    g_mutex_unlock (&self->mutex);
  }
  gst_message_unref (message);
  return GST_BUS_DROP;
}

/* -- the pipeline --------------------------------------------------------- */

/* The pad that decoded pictures end in. */
static GstPad *
gst_slit_scan_map_decoder_new_end (GstSlitScanMapDecoder * self)
{
  GstCaps *caps = gst_slit_scan_format_caps ();
  GstPadTemplate *template;
  GstPad *pad;

  gst_caps_set_simple (caps, "width", GST_TYPE_INT_RANGE, 1, LARGEST_SIDE,
      "height", GST_TYPE_INT_RANGE, 1, LARGEST_SIDE, NULL);
  template = gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps);
  gst_object_ref_sink (template);
  gst_caps_unref (caps);

  pad = gst_pad_new_from_template (template, "end");
  gst_object_ref_sink (pad);
  gst_object_unref (template);
  gst_pad_set_element_private (pad, self);
  gst_pad_set_chain_function (pad, gst_slit_scan_map_decoder_chain);
  gst_pad_set_event_function (pad, gst_slit_scan_map_decoder_event);
  gst_pad_set_active (pad, TRUE);
  return pad;
}

/* The pipeline up to the pad `end`; NULL, and the name of an element, if that
 * is not installed. */
static GstElement *
gst_slit_scan_map_decoder_new_pipeline (GstSlitScanMapDecoder * self,
    GstPad * end, const gchar ** missing)
{
  GstElement *pipeline = gst_pipeline_new (NULL);
  GstElement *elements[G_N_ELEMENTS (element_names)];
  GstElement *decodebin, *converter;
  GstBus *bus;
  GstPad *source;

  gst_object_ref_sink (pipeline);
  for (gsize i = 0; i < G_N_ELEMENTS (element_names); i++) {
    elements[i] = gst_element_factory_make (element_names[i], NULL);
    if (elements[i] == NULL) {
      *missing = element_names[i];
      gst_object_unref (pipeline);
      return NULL;
    }
    gst_bin_add (GST_BIN (pipeline), elements[i]);
  }
  decodebin = elements[1];
  converter = elements[2];

  g_object_set (elements[0], "location", self->path, NULL);
  /* A decoder in hardware is not worth its while here, and its pictures need
   * not be in memory that can be read. */
  g_object_set (decodebin, "force-sw-decoders", TRUE, NULL);
  gst_element_link (elements[0], decodebin);
  g_signal_connect (decodebin, "autoplug-continue",
      G_CALLBACK (gst_slit_scan_map_decoder_continue), self);
  g_signal_connect (decodebin, "pad-added",
      G_CALLBACK (gst_slit_scan_map_decoder_pad_added), self);
  g_signal_connect (decodebin, "no-more-pads",
      G_CALLBACK (gst_slit_scan_map_decoder_no_more_pads), self);

  source = gst_element_get_static_pad (elements[0], "src");
  gst_pad_add_probe (source, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_PULL,
      gst_slit_scan_map_decoder_read, self, NULL);
  gst_object_unref (source);
  source = gst_element_get_static_pad (converter, "src");
  gst_pad_link (source, end);
  gst_object_unref (source);
  g_mutex_lock (&self->mutex);
  self->converter = gst_element_get_static_pad (converter, "sink");
  g_mutex_unlock (&self->mutex);

  bus = gst_element_get_bus (pipeline);
  gst_bus_set_sync_handler (bus, gst_slit_scan_map_decoder_message, self, NULL);
  gst_object_unref (bus);
  return pipeline;
}

/* A pipeline to stop, on a thread of its own. */
typedef struct
{
  GstSlitScanMapDecoder *decoder;
  GstElement *pipeline;
} Stop;

static gpointer
gst_slit_scan_map_decoder_stop_pipeline (gpointer data)
{
  Stop *stop = data;
  GstSlitScanMapDecoder *self = stop->decoder;
  gint attempts = 0;

  /* An error that decodebin finds just now makes its state change fail, and
   * leaves the other elements as they are. */
  while (gst_element_set_state (stop->pipeline, GST_STATE_NULL)
      == GST_STATE_CHANGE_FAILURE && ++attempts < 10);
  g_free (stop);
  g_mutex_lock (&self->mutex);
  self->is_down = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  return NULL;
}

/* FALSE where the pipeline does not stop: nothing that it can reach may be
 * given up then. */
static gboolean
gst_slit_scan_map_decoder_stop (GstSlitScanMapDecoder * self,
    GstElement * pipeline)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_FOR_END;
  Stop *stop = g_new (Stop, 1);
  gboolean is_left;
  GThread *thread;
  GstBus *bus;

  stop->decoder = self;
  stop->pipeline = pipeline;
  thread = g_thread_try_new ("slitscan-map-end",
      gst_slit_scan_map_decoder_stop_pipeline, stop, NULL);
  if (thread == NULL)
    gst_slit_scan_map_decoder_stop_pipeline (stop);
  g_mutex_lock (&self->mutex);
  while (!self->is_down && g_cond_wait_until (&self->cond, &self->mutex, end));
  is_left = self->is_left = !self->is_down;
  g_mutex_unlock (&self->mutex);
  if (is_left) {
    GST_ERROR ("the decoder of %s does not stop; it is left to itself",
        self->name);
    g_thread_unref (thread);
    return FALSE;
  }

  if (thread != NULL)
    g_thread_join (thread);
  bus = gst_element_get_bus (pipeline);
  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
  gst_object_unref (bus);
  g_mutex_lock (&self->mutex);
  gst_clear_object (&self->converter);
  g_mutex_unlock (&self->mutex);
  gst_object_unref (pipeline);
  return TRUE;
}

/* Waits for the verdict. From then on, nothing is linked. */
static Verdict
gst_slit_scan_map_decoder_wait (GstSlitScanMapDecoder * self)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  gboolean is_nearly_over = FALSE;
  Verdict verdict;

  g_mutex_lock (&self->mutex);
  self->is_running = TRUE;
  g_cond_broadcast (&self->cond);
  while (self->verdict == VERDICT_NONE) {
    gboolean is_read = self->reads_behind_end == MANY_READS_BEHIND_END;

    if ((self->picture != NULL || is_read) && !is_nearly_over) {
      is_nearly_over = TRUE;
      end = g_get_monotonic_time () + PATIENCE_FOR_MORE;
    }
    if (!g_cond_wait_until (&self->cond, &self->mutex, end))
      gst_slit_scan_map_decoder_decide (self, self->picture != NULL
          ? VERDICT_PICTURE : is_read ? VERDICT_NO_PICTURE : VERDICT_TOO_SLOW);
  }
  verdict = self->verdict;
  g_mutex_unlock (&self->mutex);
  return verdict;
}

/* Says why there is no picture in what is a file, as far as that is known. */
static void
gst_slit_scan_map_decoder_set_content_error (GstSlitScanMapDecoder * self,
    GError ** error)
{
  if (self->media_type == NULL)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE,
        "%s is not a picture that GStreamer knows. Save it as PNG, JPEG or "
        "PGM.", self->name);
  else if (!g_str_has_prefix (self->media_type, "image/"))
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE,
        "%s is not a picture but %s. Set map-location to a PNG, JPEG or PGM "
        "file, or feed moving pictures to the pad `map`.", self->name,
        self->media_type);
  else if (self->header.is_cmyk)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
        "%s is a JPEG for print (CMYK), which GStreamer does not decode. Save "
        "it in grey or RGB.", self->name);
  else
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
        "The picture %s cannot be decoded: it is damaged, or cut short, or of "
        "a rare kind. Save it again as PNG.", self->name);
}

/* Says what became of the file. With the mutex held: what is left to itself
 * may still note what it sees. */
static void
gst_slit_scan_map_decoder_set_error (GstSlitScanMapDecoder * self,
    Verdict verdict, GError ** error)
{
  switch (verdict) {
    case VERDICT_NO_PICTURE:
      gst_slit_scan_map_decoder_set_content_error (self, error);
      break;
    case VERDICT_MANY_PICTURES:
      g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE,
          "%s holds more than one picture. Save one of them as PNG, or feed "
          "moving pictures to the pad `map`.", self->name);
      break;
    case VERDICT_TOO_LARGE:
      set_size_error (error, self->name, self->width, self->height);
      break;
    case VERDICT_NO_DECODER:
      g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_CODEC_NOT_FOUND,
          "GStreamer cannot decode %s (%s is missing). Install the package "
          "gstreamer1.0-plugins-good for PNG and JPEG, "
          "gstreamer1.0-plugins-bad for PGM, or save the picture as PNG.",
          self->name, self->missing != NULL ? self->missing : "a decoder");
      break;
    case VERDICT_TOO_SLOW:
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
          "The picture %s has not been read within %d seconds. Copy it to a "
          "disk of this machine, or save it again as PNG.", self->name,
          (gint) (PATIENCE / G_USEC_PER_SEC));
      break;
    default:
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
          "Reading %s was interrupted.", self->name);
      break;
  }
}

GstSample *
gst_slit_scan_map_decoder_decode (GstSlitScanMapDecoder * self, GError ** error)
{
  const gchar *missing = NULL;
  GstElement *pipeline;
  GstPad *end;
  Verdict verdict;

  if (!gst_slit_scan_map_decoder_check_file (self, error))
    return NULL;

  end = gst_slit_scan_map_decoder_new_end (self);
  pipeline = gst_slit_scan_map_decoder_new_pipeline (self, end, &missing);
  if (pipeline == NULL) {
    gst_object_unref (end);
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_CODEC_NOT_FOUND,
        "GStreamer cannot decode %s, as it lacks the element %s. Install the "
        "package gstreamer1.0-plugins-base.", self->name, missing);
    return NULL;
  }
  if (gst_element_set_state (pipeline, GST_STATE_PAUSED)
      == GST_STATE_CHANGE_FAILURE)
    gst_slit_scan_map_decoder_decide_now (self, VERDICT_NO_PICTURE);
  verdict = gst_slit_scan_map_decoder_wait (self);
  if (gst_slit_scan_map_decoder_stop (self, pipeline)) {
    gst_pad_set_active (end, FALSE);
    gst_object_unref (end);
  }

  if (verdict == VERDICT_PICTURE) {
    GstSample *picture;

    g_mutex_lock (&self->mutex);
    picture = g_steal_pointer (&self->picture);
    g_mutex_unlock (&self->mutex);
    if (self->header.is_rgb16)
      picture = gst_slit_scan_png16_correct (picture);
    if (picture != NULL)
      return picture;
    verdict = VERDICT_NO_PICTURE;
  }
  g_mutex_lock (&self->mutex);
  gst_slit_scan_map_decoder_set_error (self, verdict, error);
  g_mutex_unlock (&self->mutex);
  return NULL;
}
