/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The libFuzzer entry point, which Tests/Live/fuzz.sh runs. SLITSCAN_FUZZ_TARGET
 * selects the code that the bytes go to. */

/* memfd_create () */
#define _GNU_SOURCE
#include <gst/gst.h>
#include <slitscan-engine.h>

#include "../../../gst/slitscan/gstslitscanmapfile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* In Tests/Live/FuzzTargets. */
bool fuzz_begin (void);
void fuzz_osc (const uint8_t * bytes, ptrdiff_t count);
void fuzz_midi (const uint8_t * bytes, ptrdiff_t count);
void fuzz_text (const uint8_t * bytes, ptrdiff_t count);
void fuzz_session (const uint8_t * bytes, ptrdiff_t count);
void fuzz_remote (const uint8_t * bytes, ptrdiff_t count);

int LLVMFuzzerTestOneInput (const uint8_t * bytes, size_t count);
int LLVMFuzzerInitialize (int *argc, char ***argv);

/* Bytes that are taken one after the other; zeros after the last. */
typedef struct
{
  const uint8_t *bytes;
  size_t count;
} Input;

static void
take (Input * input, void *place, size_t count)
{
  size_t have = MIN (count, input->count);

  memset (place, 0, count);
  if (have > 0)
    memcpy (place, input->bytes, have);
  input->bytes += have;
  input->count -= have;
}

static uint8_t
take_byte (Input * input)
{
  uint8_t byte;

  take (input, &byte, 1);
  return byte;
}

static int32_t
take_number (Input * input)
{
  int32_t number;

  /* Mostly a small one, else anything. */
  number = take_byte (input);
  if (number < 250)
    return number % 40 - 2;
  take (input, &number, sizeof (number));
  return number;
}

static void
take_settings (Input * input, SlitScanSettings * settings)
{
  take (input, settings, sizeof (*settings));
  /* What the element itself keeps in its range, and what would take all the
   * memory there is; a bool is 0 or 1. */
  settings->depth %= 24;
  settings->canvas_length %= 512;
  settings->max_memory %= 1 << 22;
  settings->threads %= 4;
#define SWITCH(field, ...) settings->field = take_byte (input) & 1;
#include "../../../Sources/Effect/CSlitScanSettings/include/slitscan-properties.def"
}

static void
take_layout (Input * input, SlitScanLayout * layout)
{
  int index;

  layout->width = take_number (input);
  layout->height = take_number (input);
  layout->is_big_endian = take_byte (input) & 1;
  layout->is_rgb = take_byte (input) & 1;
  layout->component_count = take_number (input);
  for (index = 0; index < 4; index++) {
    SlitScanComponent *component = &layout->components[index];

    component->plane = take_number (input);
    component->offset = take_number (input);
    component->step = take_number (input);
    component->bytes = take_number (input);
    component->x_shift = take_number (input);
    component->y_shift = take_number (input);
    component->unused_bits = take_number (input);
    component->is_alpha = take_byte (input) & 1;
    take (input, &component->black, sizeof (component->black));
    take (input, &component->white, sizeof (component->white));
  }
}

/* A layout that is right: planes, pairs of chroma, packed pixels, pairs of
 * pixels. */
static void
make_layout (Input * input, SlitScanLayout * layout)
{
  int index, kind, bytes, unused_bits, step;

  memset (layout, 0, sizeof (*layout));
  layout->width = 1 + take_byte (input) % 48;
  layout->height = 1 + take_byte (input) % 48;
  layout->is_big_endian = take_byte (input) & 1;
  layout->component_count = 1 + take_byte (input) % 4;
  kind = take_byte (input) % 5;
  bytes = 1 + (take_byte (input) & 1);
  unused_bits = bytes == 2 ? take_byte (input) % 16 : 0;
  step = bytes * (layout->component_count < 4 ? 3 + take_byte (input) % 2 : 4);
  layout->is_rgb = kind < 3 && (take_byte (input) & 1);
  for (index = 0; index < layout->component_count; index++) {
    SlitScanComponent *component = &layout->components[index];
    gboolean is_chroma = index == 1 || index == 2;

    component->bytes = bytes;
    component->unused_bits = unused_bits;
    component->is_alpha = index == 3;
    take (input, &component->black, sizeof (component->black));
    take (input, &component->white, sizeof (component->white));
    switch (kind) {
      case 0:
      case 1:
        component->plane = index;
        component->step = bytes;
        if (is_chroma && !layout->is_rgb)
          component->x_shift = component->y_shift = take_byte (input) % 3;
        break;
      case 2:
        component->offset = bytes * index;
        component->step = step == 6 ? 8 : step;
        break;
      case 3:
        component->plane = is_chroma ? 1 : index;
        component->offset = index == 2 ? bytes : 0;
        component->step = is_chroma ? 2 * bytes : bytes;
        component->x_shift = component->y_shift = is_chroma;
        if (index == 3)
          component->plane = 2;
        break;
      default:
        layout->component_count = 3;
        component->offset = bytes * (index == 0 ? 0 : 2 * index - 1);
        component->step = is_chroma ? 4 * bytes : 2 * bytes;
        component->x_shift = is_chroma;
    }
  }
}

/* The rows of a plane, and the bytes that each has at least. */
static void
shape_plane (const SlitScanLayout * layout, int plane, size_t *rows,
    size_t *row_bytes)
{
  int index;

  *rows = *row_bytes = 0;
  for (index = 0; index < layout->component_count && index < 4; index++) {
    const SlitScanComponent *component = &layout->components[index];
    int x_shift = component->x_shift & 7, y_shift = component->y_shift & 7;
    size_t samples = (layout->width + (1 << x_shift) - 1) >> x_shift;

    if (component->plane != plane)
      continue;
    *rows = MAX (*rows, (size_t) (layout->height + (1 << y_shift) - 1)
        >> y_shift);
    *row_bytes = MAX (*row_bytes, samples * MIN (component->step & 31, 16));
  }
}

/* Memory of its very own for each plane, so that every byte outside is seen. */
static void
take_frame (Input * input, const SlitScanLayout * layout,
    SlitScanFrame * frame, gboolean is_right)
{
  int plane;

  memset (frame, 0, sizeof (*frame));
  is_right = is_right && layout->width > 0 && layout->width < 64
      && layout->height > 0 && layout->height < 64;
  for (plane = 0; plane < 4; plane++) {
    size_t size, rows = 0, row_bytes = 0;

    if (is_right)
      shape_plane (layout, plane, &rows, &row_bytes);
    if (rows > 0) {
      frame->strides[plane] = row_bytes + take_byte (input) % 8;
      size = frame->strides[plane] * (rows - 1) + row_bytes;
    } else {
      frame->strides[plane] = take_number (input);
      size = take_byte (input) * 32;
    }
    if (size == 0)
      continue;
    frame->planes[plane] = malloc (size);
    memset (frame->planes[plane], take_byte (input), size);
    frame->byte_counts[plane] = size;
  }
}

static void
free_frame (SlitScanFrame * frame)
{
  int plane;

  for (plane = 0; plane < 4; plane++)
    free (frame->planes[plane]);
}

static void
fuzz_engine (const uint8_t * bytes, size_t count)
{
  Input input = { bytes, count };
  SlitScanEngine *engine = slit_scan_engine_new ();
  SlitScanLayout layout;
  SlitScanSettings settings;
  SlitScanReport report;
  SlitScanError error;
  SlitScanSize size;
  int32_t width, height;
  int steps;

  take_settings (&input, &settings);
  make_layout (&input, &layout);
  for (steps = 0; steps < 40 && input.count > 0; steps++) {
    uint8_t what = take_byte (&input);
    gboolean is_right = take_byte (&input) % 4 != 0;
    SlitScanFrame source, target;
    uint64_t time;

    switch (what % 8) {
      case 0:
        take_settings (&input, &settings);
        break;
      case 1:
        if (is_right)
          make_layout (&input, &layout);
        else
          take_layout (&input, &layout);
        break;
      case 2:
        size = slit_scan_output_size (settings);
        width = size.width != 0 ? size.width : layout.width;
        height = size.height != 0 ? size.height : layout.height;
        if (!is_right) {
          width = take_number (&input);
          height = take_number (&input);
        }
        slit_scan_engine_configure (engine, &layout, width, height, &settings,
            &error);
        break;
      case 3:
        take_frame (&input, &layout, &source, is_right);
        slit_scan_engine_set_map (engine, (SlitScanMap) take_byte (&input),
            &layout, &source, &error);
        free_frame (&source);
        break;
      case 4:
        take (&input, &time, sizeof (time));
        take_frame (&input, &layout, &target, is_right);
        slit_scan_engine_settle (engine, time, &settings, &report, &error);
        slit_scan_engine_process (engine, NULL, &target, time, &settings,
            &report, &error);
        slit_scan_engine_redraw (engine, &layout, NULL, &target);
        free_frame (&target);
        break;
      case 5:
        if (take_byte (&input) & 1)
          slit_scan_engine_forget (engine);
        else
          slit_scan_engine_release (engine);
        break;
      default:
        take (&input, &time, is_right ? 4 : sizeof (time));
        take_frame (&input, &layout, &source, is_right);
        take_frame (&input, &layout, &target, is_right);
        slit_scan_engine_process (engine, &source,
            take_byte (&input) % 8 == 0 ? NULL : &target, time, &settings,
            &report, &error);
        free_frame (&source);
        free_frame (&target);
    }
  }
  slit_scan_engine_free (engine);
}

static void
fuzz_image (const uint8_t * bytes, size_t count)
{
  GstSlitScanFileHeader header;
  FILE *file;

  if (count == 0)
    return;
  file = fmemopen ((void *) bytes, count, "r");
  if (file == NULL)
    return;
  gst_slit_scan_file_header_read (file, &header);
  fclose (file);
}

/* A file from its first byte to an image, as map-location has it. */
static void
fuzz_map (const uint8_t * bytes, size_t count)
{
  int file = memfd_create ("map", MFD_CLOEXEC);
  gchar *location = g_strdup_printf ("/proc/self/fd/%d", file);
  GstVideoFrame frame;
  GError *error = NULL;
  gboolean is_read;

  if (write (file, bytes, count) == (ssize_t) count) {
    is_read = gst_slit_scan_map_file_read (location, &frame, &error);
    /* Either an image or a sentence. */
    if (is_read == (error != NULL) || (error != NULL
            && *error->message == '\0'))
      abort ();
    if (is_read)
      gst_video_frame_unmap (&frame);
    g_clear_error (&error);
  }
  g_free (location);
  close (file);
}

static void
fuzz_preset (const uint8_t * bytes, size_t count)
{
  /* A property and its value, as a preset or a launch line has them. */
  GstElement *element = gst_element_factory_make ("slitscan", NULL);
  gchar *text = g_strndup ((const gchar *) bytes, count);
  gchar **lines = g_strsplit (text, "\n", 20), **line;

  for (line = lines; *line != NULL; line++) {
    gchar *equals = strchr (*line, '=');
    GParamSpec *spec;
    GValue value = G_VALUE_INIT;

    if (equals == NULL)
      continue;
    *equals = '\0';
    spec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), *line);
    if (spec == NULL || !(spec->flags & G_PARAM_WRITABLE))
      continue;
    g_value_init (&value, spec->value_type);
    if (gst_value_deserialize_with_pspec (&value, equals + 1, spec))
      g_object_set_property (G_OBJECT (element), *line, &value);
    g_value_unset (&value);
  }
  g_strfreev (lines);
  g_free (text);
  gst_object_unref (element);
}

static const char *target;

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  target = getenv ("SLITSCAN_FUZZ_TARGET");
  if (target == NULL)
    target = "engine";
  /* Once, as a program that links a plugin must: a second registration frees
   * what the first one's elements point to. */
  return fuzz_begin ()? 0 : 1;
}

int
LLVMFuzzerTestOneInput (const uint8_t * bytes, size_t count)
{
  if (strcmp (target, "engine") == 0)
    fuzz_engine (bytes, count);
  else if (strcmp (target, "image") == 0)
    fuzz_image (bytes, count);
  else if (strcmp (target, "map") == 0)
    fuzz_map (bytes, count);
  else if (strcmp (target, "preset") == 0)
    fuzz_preset (bytes, count);
  else if (strcmp (target, "osc") == 0)
    fuzz_osc (bytes, count);
  else if (strcmp (target, "midi") == 0)
    fuzz_midi (bytes, count);
  else if (strcmp (target, "text") == 0)
    fuzz_text (bytes, count);
  else if (strcmp (target, "session") == 0)
    fuzz_session (bytes, count);
  else if (strcmp (target, "remote") == 0)
    fuzz_remote (bytes, count);
  else
    abort ();
  return 0;
}
