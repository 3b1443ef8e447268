/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The settings of the effect: a plain struct, made from the table of
 * properties in slitscan-properties.def. The element (C), the effect (Swift),
 * the reference and the fuzzer share it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whole numbers up to this are exact in a double; it is 104 days in
 * nanoseconds, and 9 petabytes. */
#define LARGEST_EXACT 9007199254740992

/* The longest delay, in frames, that the largest depth has. */
#define LONGEST_DELAY 999999

#define CHOICES(Type) typedef enum {
#define CHOICE_VALUE(value, nick, blurb) value,
#define CHOICES_END(Type) } Type;
#include "slitscan-properties.def"

/* The source of a map. */
typedef enum
{
  SLIT_SCAN_SOURCE_FORMULA,
  SLIT_SCAN_SOURCE_IMAGE,       /* an image from a file */
  SLIT_SCAN_SOURCE_FRAME,       /* the frame itself */
  SLIT_SCAN_SOURCE_MOTION,      /* all frames so far */
  SLIT_SCAN_SOURCE_PAD,         /* another stream */
} SlitScanMapSource;

typedef struct
{
  /* A field for each property that can be set, but for texts. */
#define CHOICE(Type, field, ...) Type field;
#define SWITCH(field, ...) bool field;
#define NUMBER(field, ...) double field;
  /* Swift has a long as Int. */
#define WHOLE(field, ...) long field;
#define LARGE(field, ...) uint64_t field;
#include "slitscan-properties.def"

  /* line_color's samples in the format of the frame; its alpha stays there. */
  uint64_t line_samples;        /* 16 bits each, the first one lowest */
  /* Counts the requests to forget everything; a change is one. */
  uint32_t reset_count;
  /* The present is the frame of so many ago, which follows from now. */
  long present;
  /* Whether ages are asked for. */
  bool keeps_ages;
} SlitScanSettings;

/* The defaults. */
SlitScanSettings slit_scan_settings_default (void);

/* The same settings with every number in its range; what is none, or no
 * choice, is the default. */
SlitScanSettings slit_scan_settings_clamped (SlitScanSettings settings);

/* The defaults, with what the values of the map depend on as in these settings;
 * with the shape of the map alone, or with the curve that is applied to it. */
SlitScanSettings slit_scan_settings_of_map (SlitScanSettings settings,
    bool has_curve);

/* The source of a map. */
SlitScanMapSource slit_scan_map_source (SlitScanMap map);

/* Whether a map that is made from this moves by itself. */
static inline bool
slit_scan_source_moves (SlitScanMapSource source)
{
  return source >= SLIT_SCAN_SOURCE_FRAME;
}

/* The map of a nick; the default if there is none. */
SlitScanMap slit_scan_map_of_nick (const char *nick);

/* Whether these are the same settings. */
bool slit_scan_settings_equal (SlitScanSettings a, SlitScanSettings b);

/* -- what follows from settings ------------------------------------------- */

/* Whether the output is the frame as it came: nothing of the effect is mixed
 * in, or there is no history to show. */
bool slit_scan_shows_frame (SlitScanSettings settings);

/* Whether the canvas of a strip grows to the right, and not downwards: where
 * the slit is steeper than 45 degrees. */
bool slit_scan_grows_rightwards (SlitScanMap map, double angle);

typedef struct
{
  long width;
  long height;
} SlitScanSize;

/* The size of the output; 0 where it is as the frame's. Only a strip whose
 * canvas has a length differs from the frame, along its growth. */
SlitScanSize slit_scan_output_size (SlitScanSettings settings);

/* The settings with each switch that presets hold set by a bit, the lowest one
 * for the first switch of the table. */
SlitScanSettings slit_scan_settings_with_switches (SlitScanSettings settings,
    uint64_t bits);
