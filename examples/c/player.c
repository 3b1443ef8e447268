/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* A player for the terminal: plays a file or a camera through slitscan, with
 * properties from the command line.
 *
 *   player [--sink=SINK] [--pattern | FILE] [PROPERTY=VALUE…]
 */

#include <glib-unix.h>
#include <gst/gst.h>
#include <locale.h>
#include <signal.h>

static int status = 0;

/* gst_util_set_object_arg() says nothing of what it could not set, so what
 * can go wrong is looked at before. */
static gboolean
set_property (GstElement * scan, const char *argument)
{
  char **pair = g_strsplit (argument, "=", 2);
  GParamSpec *pspec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (scan), pair[0]);
  GValue value = G_VALUE_INIT;
  gboolean known = pspec != NULL && (pspec->flags & G_PARAM_WRITABLE);
  gboolean valid = FALSE;

  if (known) {
    g_value_init (&value, pspec->value_type);
    valid = gst_value_deserialize_with_pspec (&value, pair[1], pspec)
        && !g_param_value_validate (pspec, &value);
    g_value_unset (&value);
  }
  if (valid)
    gst_util_set_object_arg (G_OBJECT (scan), pair[0], pair[1]);
  else if (known)
    g_printerr ("%s cannot be %s.\n", pair[0], pair[1]);
  else
    g_printerr ("slitscan has no property %s to set.\n", pair[0]);
  g_strfreev (pair);
  return valid;
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer loop)
{
  const GstStructure *structure = gst_message_get_structure (message);
  GstClockTime time;
  GError *error;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s: %s\n", GST_OBJECT_NAME (message->src), error->message);
    g_error_free (error);
    status = 1;
    g_main_loop_quit (loop);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS) {
    g_print ("The end.\n");
    g_main_loop_quit (loop);
  } else if (gst_message_has_name (message, "slitscan-complete")
      && gst_structure_get_clock_time (structure, "running-time", &time)) {
    g_print ("Complete at %" GST_TIME_FORMAT ".\n", GST_TIME_ARGS (time));
  }
  return G_SOURCE_CONTINUE;
}

/* The stream ends as it does by itself, so that a file that --sink writes is
 * whole. A second Ctrl-C does not wait for that. */
static gboolean
on_interrupt (gpointer pipeline)
{
  gst_element_send_event (pipeline, gst_event_new_eos ());
  return G_SOURCE_REMOVE;
}

int
main (int argc, char **argv)
{
  gboolean pattern = FALSE;
  char *sink = NULL, *file = NULL, *line;
  GOptionEntry entries[] = {
    {"pattern", 0, 0, G_OPTION_ARG_NONE, &pattern, "A ball, no camera", NULL},
    {"sink", 0, 0, G_OPTION_ARG_STRING, &sink, "Where to, as in gst-launch-1.0",
        "SINK"},
    {NULL}
  };
  GOptionContext *context =
      g_option_context_new ("[FILE] [PROPERTY=VALUE…] - a slit-scan player");
  GError *error = NULL;
  GstElement *pipeline, *scan, *source;
  GMainLoop *loop = g_main_loop_new (NULL, FALSE);
  GstBus *bus;
  int i, first = 1;

  /* GOption reads strings in the character set of the locale. */
  setlocale (LC_ALL, "");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  if (argc > 1 && strchr (argv[1], '=') == NULL)
    file = argv[first++];

  line = g_strdup_printf ("%s ! slitscan name=scan ! %s",
      file ? "filesrc name=source ! decodebin ! videoconvert" :
      pattern ? "videotestsrc is-live=true pattern=ball" : "v4l2src",
      sink ? sink : "videoconvert ! autovideosink");
  pipeline = gst_parse_launch (line, &error);
  if (error != NULL) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  if (file != NULL) {
    source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
    g_object_set (source, "location", file, NULL);
    gst_object_unref (source);
  }
  scan = gst_bin_get_by_name (GST_BIN (pipeline), "scan");
  for (i = first; i < argc; i++)
    if (strchr (argv[i], '=') == NULL || !set_property (scan, argv[i]))
      return 2;

  bus = gst_element_get_bus (pipeline);
  gst_bus_add_watch (bus, on_message, loop);
  g_unix_signal_add (SIGINT, on_interrupt, pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_main_loop_run (loop);

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  gst_object_unref (scan);
  gst_object_unref (pipeline);
  g_main_loop_unref (loop);
  g_option_context_free (context);
  g_free (line);
  g_free (sink);
  return status;
}
