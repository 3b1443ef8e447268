/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The settings one after the other, as tests go through them. */
#pragma once

#include "slitscan-settings.h"

typedef enum
{
  SLIT_SCAN_KIND_CHOICE,
  SLIT_SCAN_KIND_SWITCH,
  SLIT_SCAN_KIND_NUMBER,
  SLIT_SCAN_KIND_WHOLE,
} SlitScanKind;

/* The value of one setting. */
typedef struct
{
  const char *name;             /* of the field: with _ where properties have - */
  SlitScanKind kind;
  double number;                /* of a number, */
  uint64_t whole;               /* a whole number, or 1 for true; */
  const char *nick;             /* and of a choice */
  const char *used_by;          /* nicks of modes or maps; "" for everything */
} SlitScanSetting;

/* The number of settings that are properties. */
size_t slit_scan_setting_count (void);

/* The setting of this index. */
SlitScanSetting slit_scan_setting (SlitScanSettings settings, size_t index);

/* The settings with the default for the one of this index. */
SlitScanSettings slit_scan_settings_without (SlitScanSettings settings,
    size_t index);
