/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Writes the typed properties of a type in Swift, from the table of properties:
 * those of Scan, which may be nil and are set by their names, or those of a type
 * with SlitScanSettings as its property "values".
 *
 *   ScanPropertiesWriter TYPE FILE */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slitscan-settings.h"

/* The columns that a comment fills. */
#define LINE_LENGTH 100

/* The name of a type in Swift. */
#define TYPE_NAME(Type) &#Type[sizeof "SlitScan" - 1]

/* A property in Swift. */
typedef struct
{
  const char *field;
  const char *type;             /* in Scan */
  const char *setting;          /* in settings; NULL for choices and texts */
  const char *blurb;
  bool has_range;
  double minimum;
  double maximum;
  double default_value;
} Property;

/* *INDENT-OFF* */

/* The property of this index; one without a name after the last. */
static Property
property (int index)
{
  Property properties[] = {
#define CHOICE(Type, field, default_value, group, presets, part, used, nick, \
    blurb) \
    {#field, TYPE_NAME (Type), NULL, blurb},
#define SWITCH(field, default_value, group, presets, part, used, nick, blurb) \
    {#field, "Bool", "Bool", blurb},
#define TEXT(field, group, presets, used, nick, blurb) \
    {#field, "String", NULL, blurb},
#define RANGE(field, type, setting, minimum, maximum, default_value, \
    fader, group, presets, part, used, nick, blurb) \
    {#field, type, setting, blurb, true, minimum, maximum, default_value},
#define NUMBER(field, minimum, maximum, default_value, unit, ...) \
    RANGE (field, "Double", "Double", minimum, maximum, default_value, __VA_ARGS__)
#define WHOLE(field, minimum, maximum, default_value, unit, ...) \
    RANGE (field, strcmp (unit, "0xAARRGGBB") == 0 ? "UInt32" : "Int", \
        "Int", minimum, maximum, default_value, __VA_ARGS__)
#define LARGE(field, minimum, maximum, default_value, unit, ...) \
    RANGE (field, strcmp (unit, "ns") == 0 ? "ClockTime" : "UInt64", \
        "UInt64", minimum, maximum, default_value, __VA_ARGS__)
#include "slitscan-properties.def"
    {NULL}
  };
  return properties[index];
}

/* *INDENT-ON* */

/* A name in Swift: a letter after - or _ is a capital. */
static void
put_name (FILE * file, const char *name)
{
  for (; *name != '\0'; name++) {
    if (*name == '-' || *name == '_')
      putc (toupper (*++name), file);
    else
      putc (*name, file);
  }
}

/* The name of a property in GStreamer: that of its field, with - for _. */
static void
put_gstreamer_name (FILE * file, const char *field)
{
  for (; *field != '\0'; field++)
    putc (*field == '_' ? '-' : *field, file);
}

/* A comment, in as many lines as it takes. */
static void
put_comment (FILE * file, const char *indent, const char *text)
{
  size_t width = LINE_LENGTH;

  while (*text != '\0') {
    size_t length = strcspn (text, " ");

    if (width + strlen (" ") + length > LINE_LENGTH) {
      fprintf (file, "\n%s///", indent);
      width = strlen (indent) + strlen ("///");
    }
    width += fprintf (file, " %.*s", (int) length, text);
    text += length;
    text += strspn (text, " ");
  }
}

static void
put_blurb (FILE * file, const char *indent, const char *blurb)
{
  char sentence[1024];

  snprintf (sentence, sizeof sentence, "%s.", blurb);
  put_comment (file, indent, sentence);
}

/* A type of choices, described as its property is. Its values are of the type
 * RAW; those that are texts are GStreamer's names. */
static void
put_type (FILE * file, const char *type, const char *raw)
{
  for (int index = 0; property (index).field != NULL; index++) {
    if (strcmp (property (index).type, type) == 0)
      put_blurb (file, "  ", property (index).blurb);
  }
  fprintf (file, "\n  public enum %s: %s, Sendable, CaseIterable {", type, raw);
}

static void
put_case (FILE * file, const char *nick, const char *blurb, bool is_named)
{
  put_blurb (file, "    ", blurb);
  fputs ("\n    case ", file);
  put_name (file, nick);
  if (is_named && strchr (nick, '-') != NULL)
    fprintf (file, " = \"%s\"", nick);
}

/* *INDENT-OFF* */

static void
put_types (FILE *file, bool is_scan)
{
#define CHOICES(Type) \
  put_type (file, TYPE_NAME (Type), is_scan ? "String, ScanValue" : "UInt32");
#define CHOICE_VALUE(value, nick, blurb) \
  put_case (file, nick, blurb, is_scan);
#define CHOICES_END(Type) fputs ("\n  }\n", file);
#include "slitscan-properties.def"
}

/* The name of the first choice of a type. */
static const char *
first_choice (const char *type)
{
#define CHOICES(Type) \
  if (strcmp (type, TYPE_NAME (Type)) == 0) { \
    const char *nicks[] = {
#define CHOICE_VALUE(value, nick, blurb) nick,
#define CHOICES_END(Type) \
      NULL}; \
    return nicks[0]; \
  }
#include "slitscan-properties.def"
  return "";
}

/* *INDENT-ON* */

static void
put_initializer (FILE * file)
{
  put_comment (file, "  ", "The effect as a preset and some properties make "
      "it; those that are nil are as in the preset, or have their default "
      "values.");
  fputs ("\n  public init(\n    preset: String? = nil", file);
  for (int index = 0; property (index).field != NULL; index++) {
    fputs (",\n    ", file);
    put_name (file, property (index).field);
    fprintf (file, ": %s? = nil", property (index).type);
  }
  fputs ("\n  ) {\n    self.init(preset: preset, [:])", file);
  for (int index = 0; property (index).field != NULL; index++) {
    fputs ("\n    self.", file);
    put_name (file, property (index).field);
    fputs (" = ", file);
    put_name (file, property (index).field);
  }
  fputs ("\n  }\n", file);
}

static void
put_description (FILE * file, Property property)
{
  put_blurb (file, "  ", property.blurb);
  if (property.has_range) {
    fprintf (file, "\n  ///\n  /// The range is %.16g to %.16g, the default "
        "%.16g.", property.minimum, property.maximum, property.default_value);
  }
  fputs ("\n  public var ", file);
  put_name (file, property.field);
}

static void
put_property (FILE * file, Property property)
{
  put_description (file, property);
  fprintf (file, ": %s? {\n    get { typed(\"", property.type);
  put_gstreamer_name (file, property.field);
  fputs ("\") }\n    set { setTyped(\"", file);
  put_gstreamer_name (file, property.field);
  fputs ("\", newValue) }\n  }\n", file);
}

static void
put_setting (FILE * file, Property property)
{
  const char *type = property.type;
  const char *field = property.field;

  if (strcmp (type, "String") == 0)
    return;
  put_description (file, property);
  if (property.setting != NULL)
    fprintf (file,
        ": %s {\n    get { values.%s }\n    set { values.%s = newValue }"
        "\n  }\n", property.setting, field, field);
  else
    fprintf (file, ": %s {\n    get { %s(rawValue: values.%s.rawValue) ?? .%s }"
        "\n    set { values.%s = SlitScan%s(newValue.rawValue) }\n  }\n", type,
        type, field, first_choice (type), field, type);
}

/* Whether a file holds this text. */
static bool
holds (const char *path, const char *text, size_t size)
{
  FILE *file = fopen (path, "r");
  size_t place = 0;
  int byte;

  if (file == NULL)
    return false;
  while ((byte = getc (file)) != EOF && place < size
      && byte == (unsigned char) text[place])
    place++;
  fclose (file);
  return byte == EOF && place == size;
}

/* Writes a text, unless the file holds it: what is built of it is not built
 * again then. */
static bool
save (const char *path, const char *text, size_t size)
{
  FILE *file;
  bool is_whole;

  if (holds (path, text, size))
    return true;
  file = fopen (path, "w");
  if (file == NULL)
    return false;
  is_whole = fwrite (text, 1, size, file) == size;
  return fclose (file) == 0 && is_whole;
}

int
main (int argument_count, char **arguments)
{
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream (&text, &size);
  bool is_scan;
  bool is_saved;

  if (argument_count != 3 || file == NULL) {
    perror ("ScanPropertiesWriter TYPE FILE");
    return 1;
  }
  is_scan = strcmp (arguments[1], "Scan") == 0;
  fprintf (file, "%s\n\nextension %s {",
      is_scan ? "import GStreamer" : "internal import CSlitScanSettings",
      arguments[1]);
  put_types (file, is_scan);
  if (is_scan)
    put_initializer (file);
  for (int index = 0; property (index).field != NULL; index++)
    (is_scan ? put_property : put_setting) (file, property (index));
  fputs ("}\n", file);
  is_saved = fclose (file) == 0 && save (arguments[2], text, size);
  if (!is_saved)
    perror (arguments[2]);
  free (text);
  return is_saved ? 0 : 1;
}
