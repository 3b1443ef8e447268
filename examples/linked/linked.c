/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* An application that links the plugin, which need not be where GStreamer
 * looks for plugins.
 *
 *   cc linked.c -o linked $(pkg-config --cflags --libs slitscan-1.0)
 *   ./linked "v4l2src ! slitscan ! autovideosink"
 */

#include <slitscan-plugin.h>

int
main (int argc, char **argv)
{
  const char *line = argc > 1 ? argv[1] :
      "videotestsrc num-buffers=50 ! slitscan name=scan depth=10 ! fakesink";
  GError *error = NULL;
  GstElement *pipeline;
  GstBus *bus;
  GstMessage *message;
  int status = 0;

  gst_init (&argc, &argv);
  gst_plugin_slitscan_register ();

  /* With an error there may be a pipeline too, of all that was understood. */
  pipeline = gst_parse_launch (line, &error);
  if (error != NULL) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    gst_clear_object (&pipeline);
    return 1;
  }

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  bus = gst_element_get_bus (pipeline);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    status = 1;
  }
  gst_message_unref (message);
  gst_object_unref (bus);

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return status;
}
