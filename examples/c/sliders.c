/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* A window with the video and a widget for each property of slitscan, made
 * from the element's own description.
 *
 *   sliders [--pattern | FILE] [--preset NAME] [--snapshot FILE] [--seconds N]
 */

#include <gst/video/video.h>
#include <gtk/gtk.h>

/* What a scale ends at where the property goes on, as `depth` does to 1000000;
 * beyond LONG, a number is typed. */
#define SCALE_END 600
#define LONG 1000000

static char *preset, *snapshot;
static int seconds = 0;
static int status = 0;

/* The range of a number's property; FALSE if it is something else. */
static gboolean
get_range (GParamSpec * pspec, double *from, double *to)
{
  if (G_IS_PARAM_SPEC_DOUBLE (pspec)) {
    *from = G_PARAM_SPEC_DOUBLE (pspec)->minimum;
    *to = G_PARAM_SPEC_DOUBLE (pspec)->maximum;
  } else if (G_IS_PARAM_SPEC_UINT (pspec)) {
    *from = G_PARAM_SPEC_UINT (pspec)->minimum;
    *to = G_PARAM_SPEC_UINT (pspec)->maximum;
  } else if (G_IS_PARAM_SPEC_INT (pspec)) {
    *from = G_PARAM_SPEC_INT (pspec)->minimum;
    *to = G_PARAM_SPEC_INT (pspec)->maximum;
  } else if (G_IS_PARAM_SPEC_UINT64 (pspec)) {
    *from = G_PARAM_SPEC_UINT64 (pspec)->minimum;
    *to = G_PARAM_SPEC_UINT64 (pspec)->maximum;
  } else {
    return FALSE;
  }
  return TRUE;
}

/* A control is a widget, or the adjustment of one: this is its value. */
static const char *
get_value_name (GObject * control)
{
  return GTK_IS_ADJUSTMENT (control) ? "value" : "active";
}

/* Sets the element's property to the value of its control. */
static void
on_control (GObject * control, GParamSpec * pspec, GObject * scan)
{
  const char *name = g_object_get_data (control, "property");
  GValue value = G_VALUE_INIT;

  g_object_get_property (control, pspec->name, &value);
  g_object_set_property (scan, name, &value);
  g_value_unset (&value);
}

/* Sets the control of a property to the value that the element has now. It
 * does not set the element in turn: a scale may end before that value. */
static void
show_property (GObject * scan, const char *name)
{
  GObject *control = g_object_get_data (scan, name);
  GValue value = G_VALUE_INIT;

  g_object_get_property (scan, name, &value);
  g_signal_handlers_block_by_func (control, on_control, scan);
  g_object_set_property (control, get_value_name (control), &value);
  g_signal_handlers_unblock_by_func (control, on_control, scan);
  g_value_unset (&value);
}

/* Lets the control set the property and follow it. A preset sets properties,
 * and so does the pointer over the window of a video sink, from a thread of
 * that sink. GTK is for the main thread alone, so the control follows by
 * messages on the bus. */
static void
connect_control (GObject * scan, const char *name, gpointer control)
{
  char *signal = g_strconcat ("notify::", get_value_name (control), NULL);

  g_object_set_data (control, "property", (gpointer) name);
  g_object_set_data (scan, name, control);
  g_signal_connect (control, signal, G_CALLBACK (on_control), scan);
  gst_element_add_property_notify_watch (GST_ELEMENT (scan), name, FALSE);
  show_property (scan, name);
  g_free (signal);
}

/* A widget that sets the property and follows it; NULL if there is none for
 * its type. */
static GtkWidget *
make_widget (GObject * scan, GParamSpec * pspec)
{
  gboolean fraction = G_IS_PARAM_SPEC_DOUBLE (pspec);
  GtkAdjustment *adjustment;
  GtkWidget *widget;
  double from, to;
  guint i;

  if (G_IS_PARAM_SPEC_BOOLEAN (pspec)) {
    widget = gtk_switch_new ();
    gtk_widget_set_halign (widget, GTK_ALIGN_START);
    connect_control (scan, pspec->name, widget);
  } else if (G_IS_PARAM_SPEC_ENUM (pspec)) {
    GEnumClass *values = G_PARAM_SPEC_ENUM (pspec)->enum_class;

    /* The values of slitscan count from 0, as the rows of a combo box do. */
    widget = gtk_combo_box_text_new ();
    for (i = 0; i < values->n_values; i++)
      gtk_combo_box_text_append_text (GTK_COMBO_BOX_TEXT (widget),
          values->values[i].value_nick);
    connect_control (scan, pspec->name, widget);
  } else if (get_range (pspec, &from, &to)) {
    gboolean typed = to - from > LONG;

    if (!typed)
      to = MIN (to, SCALE_END);
    adjustment = gtk_adjustment_new (from, from, to,
        fraction ? 0.01 : 1, fraction ? 0.1 : 10, 0);
    if (typed) {
      widget = gtk_spin_button_new (adjustment, 0, 0);
    } else {
      widget = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, adjustment);
      gtk_scale_set_digits (GTK_SCALE (widget), fraction ? 2 : 0);
      gtk_scale_set_value_pos (GTK_SCALE (widget), GTK_POS_RIGHT);
    }
    connect_control (scan, pspec->name, adjustment);
  } else {
    return NULL;
  }
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_tooltip_text (widget, g_param_spec_get_blurb (pspec));
  return widget;
}

/* Adds what is slitscan's own and can be set, and returns how much that is. */
static int
add_properties (GtkGrid * grid, GstElement * scan)
{
  guint i, count;
  int row = 0;
  GParamSpec **pspecs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (scan), &count);

  for (i = 0; i < count; i++) {
    GtkWidget *label, *widget;

    if (pspecs[i]->owner_type != G_OBJECT_TYPE (scan)
        || !(pspecs[i]->flags & G_PARAM_WRITABLE)
        || (widget = make_widget (G_OBJECT (scan), pspecs[i])) == NULL)
      continue;
    label = gtk_label_new (pspecs[i]->name);
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_grid_attach (grid, label, 0, row, 1, 1);
    gtk_grid_attach (grid, widget, 1, row++, 1, 1);
  }
  g_free (pspecs);
  return row;
}

static void
on_preset (GtkComboBoxText * combo, GstElement * scan)
{
  char *name = gtk_combo_box_text_get_active_text (combo);

  if (name != NULL && gst_preset_load_preset (GST_PRESET (scan), name))
    g_print ("Preset: %s\n", name);
  g_free (name);
}

/* Writes the last picture that has come out as PNG. */
static void
on_snapshot (GtkButton * button, GstElement * scan)
{
  GstSample *sample = NULL, *png;
  GError *error = NULL;
  GstCaps *caps;
  GstBuffer *buffer;
  GstMapInfo map;

  g_signal_emit_by_name (scan, "snapshot", &sample);
  if (sample == NULL) {
    g_printerr ("No picture has come out yet.\n");
    status = 1;
    return;
  }
  caps = gst_caps_new_empty_simple ("image/png");
  png = gst_video_convert_sample (sample, caps, GST_CLOCK_TIME_NONE, &error);
  if (png != NULL) {
    buffer = gst_sample_get_buffer (png);
    if (gst_buffer_map (buffer, &map, GST_MAP_READ)) {
      if (g_file_set_contents (snapshot, (char *) map.data, map.size, &error))
        g_print ("Snapshot: %s\n", snapshot);
      gst_buffer_unmap (buffer, &map);
    }
    gst_sample_unref (png);
  }
  if (error != NULL) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    status = 1;
  }
  gst_caps_unref (caps);
  gst_sample_unref (sample);
}

/* --seconds are over: a last snapshot, and good-bye. */
static gboolean
on_timeout (gpointer button)
{
  gtk_button_clicked (button);
  gtk_widget_destroy (gtk_widget_get_toplevel (button));
  return G_SOURCE_REMOVE;
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer button)
{
  const char *name;
  GstObject *scan;
  GError *error;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_PROPERTY_NOTIFY) {
    gst_message_parse_property_notify (message, &scan, &name, NULL);
    show_property (G_OBJECT (scan), name);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ASYNC_DONE) {
    /* The first picture is there. */
    if (seconds > 0)
      g_timeout_add_seconds (seconds, on_timeout, button);
    seconds = 0;
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s: %s\n", GST_OBJECT_NAME (message->src), error->message);
    g_error_free (error);
    status = 1;
    gtk_widget_destroy (gtk_widget_get_toplevel (button));
    return G_SOURCE_REMOVE;
  }
  return G_SOURCE_CONTINUE;
}

/* The pipeline goes first: a sink whose widget goes away posts an error. */
static void
on_destroy (GtkWidget * window, GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gtk_main_quit ();
}

int
main (int argc, char **argv)
{
  gboolean pattern = FALSE;
  GOptionEntry entries[] = {
    {"pattern", 0, 0, G_OPTION_ARG_NONE, &pattern, "A ball, no camera", NULL},
    {"preset", 0, 0, G_OPTION_ARG_STRING, &preset, "To begin with", "NAME"},
    {"snapshot", 0, 0, G_OPTION_ARG_FILENAME, &snapshot,
        "What the button writes (snapshot.png)", "FILE"},
    {"seconds", 0, 0, G_OPTION_ARG_INT, &seconds,
        "Press the button so long after the first picture, and quit", "N"},
    {NULL}
  };
  GError *error = NULL;
  GstElement *pipeline, *scan, *source, *sink;
  GtkWidget *window, *panes, *side, *scroller, *grid, *combo, *button, *video;
  GstBus *bus;
  char **names, *line;
  int i;

  gst_init (&argc, &argv);
  if (!gtk_init_with_args (&argc, &argv, "[FILE]", entries, NULL, &error)) {
    g_printerr ("%s\n", error ? error->message : "There is no display.");
    return 2;
  }
  if (snapshot == NULL)
    snapshot = g_strdup ("snapshot.png");

  /* Without gtksink, the picture is in a window of its own. */
  sink = gst_element_factory_make ("gtksink", NULL);
  line = g_strdup_printf ("%s ! slitscan name=scan ! videoconvert name=last %s",
      argc > 1 ? "filesrc name=source ! decodebin ! videoconvert" :
      pattern ? "videotestsrc is-live=true pattern=ball" : "v4l2src",
      sink ? "" : "! autovideosink");
  pipeline = gst_parse_launch (line, &error);
  g_free (line);
  if (error != NULL) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  if (argc > 1) {
    source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
    g_object_set (source, "location", argv[1], NULL);
    gst_object_unref (source);
  }
  scan = gst_bin_get_by_name (GST_BIN (pipeline), "scan");

  window = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  gtk_window_set_title (GTK_WINDOW (window), "slitscan");
  gtk_window_set_default_size (GTK_WINDOW (window), sink ? 1100 : 400, 600);
  g_signal_connect (window, "destroy", G_CALLBACK (on_destroy), pipeline);
  panes = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  gtk_container_add (GTK_CONTAINER (window), panes);
  if (sink != NULL) {
    source = gst_bin_get_by_name (GST_BIN (pipeline), "last");
    gst_bin_add (GST_BIN (pipeline), sink);
    gst_element_link (source, sink);
    gst_object_unref (source);
    g_object_get (sink, "widget", &video, NULL);
    gtk_paned_pack1 (GTK_PANED (panes), video, TRUE, TRUE);
    g_object_unref (video);
  }

  side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_set_size_request (side, 380, -1);
  gtk_paned_pack2 (GTK_PANED (panes), side, sink == NULL, FALSE);
  combo = gtk_combo_box_text_new ();
  names = gst_preset_get_preset_names (GST_PRESET (scan));
  for (i = 0; names != NULL && names[i] != NULL; i++)
    gtk_combo_box_text_append (GTK_COMBO_BOX_TEXT (combo), names[i], names[i]);
  g_strfreev (names);
  gtk_box_pack_start (GTK_BOX (side), combo, FALSE, FALSE, 0);
  button = gtk_button_new_with_label ("Snapshot");
  gtk_box_pack_start (GTK_BOX (side), button, FALSE, FALSE, 0);
  scroller = gtk_scrolled_window_new (NULL, NULL);
  gtk_box_pack_start (GTK_BOX (side), scroller, TRUE, TRUE, 0);
  grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_container_add (GTK_CONTAINER (scroller), grid);
  g_signal_connect (combo, "changed", G_CALLBACK (on_preset), scan);
  g_signal_connect (button, "clicked", G_CALLBACK (on_snapshot), scan);
  if (preset != NULL
      && !gtk_combo_box_set_active_id (GTK_COMBO_BOX (combo), preset)) {
    g_printerr ("There is no preset %s.\n", preset);
    return 2;
  }
  /* After the preset: the bus takes no messages before the pipeline starts. */
  i = add_properties (GTK_GRID (grid), scan);
  g_print ("Properties: %d\n", i);

  bus = gst_element_get_bus (pipeline);
  gst_bus_add_watch (bus, on_message, button);
  gtk_widget_show_all (window);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  gtk_main ();

  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  gst_object_unref (scan);
  gst_object_unref (pipeline);
  g_free (preset);
  g_free (snapshot);
  return status;
}
