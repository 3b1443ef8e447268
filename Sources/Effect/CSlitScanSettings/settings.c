/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Defaults, limits and lookups of the settings, from the property table. */

#include "slitscan-settings.h"

#include <math.h>
#include <string.h>

/* *INDENT-OFF* */

SlitScanSettings
slit_scan_settings_default (void)
{
  return (SlitScanSettings) {
#define CHOICE(Type, field, default_value, ...) .field = default_value,
#define SWITCH(field, default_value, ...) .field = default_value,
#define NUMBER(field, minimum, maximum, default_value, ...) \
  .field = default_value,
#define WHOLE NUMBER
#define LARGE NUMBER
#include "slitscan-properties.def"
  };
}

/* Whether a number is one of the choices. */
#define CHOICES(Type)                                                         \
static bool                                                                   \
is_##Type (int64_t number)                                                    \
{                                                                             \
  switch (number) {
#define CHOICE_VALUE(value, nick, blurb) case value:
#define CHOICES_END(Type)                                                     \
      return true;                                                            \
  }                                                                           \
  return false;                                                               \
}
#include "slitscan-properties.def"

#define WITHIN(number, minimum, maximum) \
  ((number) < (minimum) ? (minimum) \
      : (number) > (maximum) ? (maximum) : (number))

SlitScanSettings
slit_scan_settings_clamped (SlitScanSettings settings)
{
#define CHOICE(Type, field, default_value, ...) \
  if (!is_##Type (settings.field)) \
    settings.field = default_value;
#define NUMBER(field, minimum, maximum, default_value, ...) \
  settings.field = isnan (settings.field) \
      ? default_value : fmin (fmax (settings.field, minimum), maximum);
#define WHOLE(field, minimum, maximum, ...) \
  settings.field = WITHIN (settings.field, (long) minimum, (long) maximum);
#define LARGE(field, minimum, maximum, ...) \
  settings.field = \
      WITHIN (settings.field, (uint64_t) minimum, (uint64_t) maximum);
#include "slitscan-properties.def"
  settings.present = WITHIN (settings.present, 0L, LONGEST_DELAY);
  return settings;
}

bool
slit_scan_settings_equal (SlitScanSettings a, SlitScanSettings b)
{
  bool is_equal = a.reset_count == b.reset_count
      && a.line_samples == b.line_samples && a.present == b.present
      && a.keeps_ages == b.keeps_ages;

#define SWITCH(field, ...) is_equal &= a.field == b.field;
#define CHOICE(Type, field, ...) SWITCH (field)
#define NUMBER SWITCH
#define WHOLE SWITCH
#define LARGE SWITCH
#include "slitscan-properties.def"
  return is_equal;
}

SlitScanSettings
slit_scan_settings_of_map (SlitScanSettings settings, bool has_curve)
{
  SlitScanSettings of_map = slit_scan_settings_default ();

#define SHAPE(field) of_map.field = settings.field;
#define CURVE(field) \
  if (has_curve) \
    of_map.field = settings.field;
#define NO_MAP(field)
#define CHOICE(Type, field, default_value, group, presets, part, ...) \
  part (field)
#define SWITCH(field, default_value, group, presets, part, ...) part (field)
#define NUMBER(field, minimum, maximum, default_value, unit, fader, group, \
    presets, part, ...) \
  part (field)
#define WHOLE NUMBER
#define LARGE NUMBER
#include "slitscan-properties.def"
  return of_map;
}

SlitScanSettings
slit_scan_settings_with_switches (SlitScanSettings settings, uint64_t bits)
{
#define IN_PRESETS(field) \
  settings.field = bits & 1; \
  bits >>= 1;
#define NOT_IN_PRESETS(field)
#define SWITCH(field, default_value, group, presets, ...) presets (field)
#include "slitscan-properties.def"
  return settings;
}

SlitScanMapSource
slit_scan_map_source (SlitScanMap map)
{
  switch (map) {
#define MAP_VALUE(value, nick, source, blurb) \
    case value: \
      return SLIT_SCAN_SOURCE_##source;
#include "slitscan-properties.def"
  }
  return SLIT_SCAN_SOURCE_FORMULA;
}

SlitScanMap
slit_scan_map_of_nick (const char *nick)
{
#define MAP_VALUE(value, name, source, blurb) \
  if (strcmp (nick, name) == 0) \
    return value;
#include "slitscan-properties.def"
  return slit_scan_settings_default ().map;
}

/* *INDENT-ON* */

/* -- what follows from settings ------------------------------------------- */

bool
slit_scan_shows_frame (SlitScanSettings settings)
{
  /* The frame that leaves came earlier. */
  if (settings.mode == SLIT_SCAN_MODE_STRIP || settings.present > 0)
    return false;
  return settings.mix == 0 || (settings.mode == SLIT_SCAN_MODE_DISPLACE
      && settings.feedback == 0 && settings.depth == 1
      && settings.duration == 0 && settings.shutter == 1
      && settings.shutter_duration == 0 && !settings.freeze);
}

bool
slit_scan_grows_rightwards (SlitScanMap map, double angle)
{
  /* Exact, where a comparison of sine and cosine would not be. */
  return map == SLIT_SCAN_MAP_LINEAR && fabs (remainder (angle, 180)) > 45;
}

SlitScanSize
slit_scan_output_size (SlitScanSettings settings)
{
  bool is_flat = settings.canvas == SLIT_SCAN_CANVAS_SCROLL
      || settings.canvas == SLIT_SCAN_CANVAS_WRAP;
  long length = settings.mode == SLIT_SCAN_MODE_STRIP && is_flat
      ? settings.canvas_length : 0;
  bool is_wide = slit_scan_grows_rightwards (settings.map, settings.angle);
  SlitScanSize size = { is_wide ? length : 0, is_wide ? 0 : length };

  return size;
}
