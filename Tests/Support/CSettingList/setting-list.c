/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

#include "setting-list.h"

/* *INDENT-OFF* */

/* The nick of a choice; NULL for what is none. */
#define CHOICES(Type)                                                         \
static const char *                                                           \
Type##_nick (Type choice)                                                     \
{                                                                             \
  switch (choice) {
#define CHOICE_VALUE(value, nick, blurb) \
    case value: \
      return nick;
#define CHOICES_END(Type)                                                     \
  }                                                                           \
  return NULL;                                                                \
}
#include "slitscan-properties.def"

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
#define EVERYTHING ""
  switch (index) {
#define CHOICE(Type, field, default_value, group, presets, part, used, ...) \
    case INDEX_OF_##field: \
      return (SlitScanSetting) {#field, SLIT_SCAN_KIND_CHOICE, 0, 0, \
          Type##_nick (settings.field), used};
#define SWITCH(field, default_value, group, presets, part, used, ...) \
    case INDEX_OF_##field: \
      return (SlitScanSetting) {#field, SLIT_SCAN_KIND_SWITCH, 0, \
          settings.field, NULL, used};
#define NUMBER(field, minimum, maximum, default_value, unit, fader, group, \
    presets, part, used, ...) \
    case INDEX_OF_##field: \
      return (SlitScanSetting) {#field, SLIT_SCAN_KIND_NUMBER, \
          settings.field, 0, NULL, used};
#define WHOLE(field, minimum, maximum, default_value, unit, fader, group, \
    presets, part, used, ...) \
    case INDEX_OF_##field: \
      return (SlitScanSetting) {#field, SLIT_SCAN_KIND_WHOLE, 0, \
          settings.field, NULL, used};
#define LARGE WHOLE
#include "slitscan-properties.def"
  }
  return (SlitScanSetting) {0};
}

SlitScanSettings
slit_scan_settings_without (SlitScanSettings settings, size_t index)
{
  switch (index) {
#define NUMBER(field, minimum, maximum, default_value, ...) \
    case INDEX_OF_##field: \
      settings.field = default_value; \
      break;
#define WHOLE NUMBER
#define LARGE NUMBER
#define SWITCH(field, default_value, ...) NUMBER (field, 0, 0, default_value)
#define CHOICE(Type, field, default_value, ...) \
  NUMBER (field, 0, 0, default_value)
#include "slitscan-properties.def"
  }
  return settings;
}

/* *INDENT-ON* */
