/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The element under stress, and what its threads share. */
#pragma once

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

/* One element, and what is done to it. */
typedef struct
{
  GstHarness *harness;
  /* An image file, for a map. */
  gchar *image;
  GRand *seeds;
  /* Only one stream may pass at a time. Flushes and states do not ask. */
  GMutex stream;
  GstVideoInfo info;
  GstClockTime next;
  gint frames;
  gint taken;
} Stress;

/* One thread, with dice of its own. */
typedef struct
{
  Stress *stress;
  GRand *dice;
} Hand;

static inline gboolean
chance (GRand * dice, gint of)
{
  return g_rand_int_range (dice, 0, of) == 0;
}

/* The pads `map` and `age` come and go. */
void stress_map_pad (gpointer thread, gpointer data);
void stress_age_pad (gpointer thread, gpointer data);
