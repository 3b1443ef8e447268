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
#define CHOICE(Type, field, standard, ...) .field = standard,
#define SWITCH(field, standard, ...) .field = standard,
#define NUMBER(field, minimum, maximum, standard, ...) .field = standard,
#define WHOLE NUMBER
#define LARGE NUMBER
#include "slitscan-properties.def"
  };
}

/* The nick of a choice; NULL for what is none. */
#define CHOICES(Type)                                                         \
static const char *                                                           \
Type##_nick (int64_t number)                                                  \
{                                                                             \
  switch (number) {
#define CHOICE_VALUE(value, nick, blurb) \
    case value: \
      return nick;
#define CHOICES_END(Type)                                                     \
    default:                                                                  \
      return NULL;                                                            \
  }                                                                           \
}
#include "slitscan-properties.def"

static uint64_t
whole_within (uint64_t number, uint64_t minimum, uint64_t maximum)
{
  return number < minimum ? minimum : number > maximum ? maximum : number;
}

SlitScanSettings
slit_scan_settings_clamped (SlitScanSettings settings)
{
#define CHOICE(Type, field, standard, ...) \
  if (Type##_nick (settings.field) == NULL) \
    settings.field = standard;
#define NUMBER(field, minimum, maximum, standard, ...) \
  settings.field = isnan (settings.field) \
      ? standard : fmin (fmax (settings.field, minimum), maximum);
#define WHOLE(field, minimum, maximum, ...) \
  settings.field = whole_within (settings.field, minimum, maximum);
#define LARGE(field, minimum, maximum, ...) \
  settings.field = whole_within (settings.field, minimum, maximum);
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
slit_scan_shows_frame (const SlitScanSettings * settings)
{
  return slit_scan_is_frame_itself (settings->mode, settings->mix,
      settings->feedback, settings->depth, settings->duration,
      settings->freeze);
}

void
slit_scan_output_size (const SlitScanSettings * settings, int32_t * width,
    int32_t * height)
{
  int32_t length = settings->mode == SLIT_SCAN_MODE_STRIP
      ? (int32_t) settings->canvas_length : 0;
  bool is_wide = slit_scan_grows_rightwards (settings->map, settings->angle);

  *width = is_wide ? length : 0;
  *height = is_wide ? 0 : length;
}

/* *INDENT-OFF* */

/* -- one setting after the other ------------------------------------------ */

enum
{
#define CHOICE(Type, field, ...) INDEX_OF_##field,
#define SWITCH(field, ...) INDEX_OF_##field,
#define NUMBER(field, ...) INDEX_OF_##field,
#define WHOLE(field, ...) INDEX_OF_##field,
#define LARGE(field, ...) INDEX_OF_##field,
#include "slitscan-properties.def"
  SETTING_COUNT
};

size_t
slit_scan_setting_count (void)
{
  return SETTING_COUNT;
}

SlitScanSetting
slit_scan_setting (SlitScanSettings settings, size_t index)
{
  switch (index) {
#define CHOICE(Type, field, ...) \
    case INDEX_OF_##field: \
      return (SlitScanSetting) {#field, SLIT_SCAN_KIND_CHOICE, 0, 0, \
          Type##_nick (settings.field)};
#define SWITCH(field, ...) \
    case INDEX_OF_##field: \
      return (SlitScanSetting) {#field, SLIT_SCAN_KIND_SWITCH, 0, \
          settings.field, NULL};
#define NUMBER(field, ...) \
    case INDEX_OF_##field: \
      return (SlitScanSetting) {#field, SLIT_SCAN_KIND_NUMBER, \
          settings.field, 0, NULL};
#define WHOLE(field, ...) \
    case INDEX_OF_##field: \
      return (SlitScanSetting) {#field, SLIT_SCAN_KIND_WHOLE, 0, \
          settings.field, NULL};
#define LARGE WHOLE
#include "slitscan-properties.def"
  }
  return (SlitScanSetting) {0};
}

SlitScanSettings
slit_scan_settings_without (SlitScanSettings settings, size_t index)
{
  switch (index) {
#define NUMBER(field, minimum, maximum, standard, ...) \
    case INDEX_OF_##field: \
      settings.field = standard; \
      break;
#define WHOLE NUMBER
#define LARGE NUMBER
#define SWITCH(field, standard, ...) NUMBER (field, 0, 0, standard)
#define CHOICE(Type, field, standard, ...) NUMBER (field, 0, 0, standard)
#include "slitscan-properties.def"
  }
  return settings;
}

/* *INDENT-ON* */
