/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* An element in a harness, for frames and times that no pipeline would send. */
#pragma once

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <stdio.h>

/* An element, and what came of it. */
typedef struct
{
  GstHarness *harness;
  GstBus *bus;
  GstVideoInfo info;
  guint in;
  guint out;
  guint warnings;
  /* What it said last: a warning or an error. */
  gchar *words;
  gboolean has_failed;
} Scan;

/* The checks that have failed in this process. */
extern guint failures;

#define CHECK(condition, ...)                           \
  G_STMT_START {                                        \
    if (!(condition)) {                                 \
      printf ("FAILED, %s:%d: %s: ", __FILE__, __LINE__,    \
          #condition);                                  \
      printf (__VA_ARGS__);                             \
      printf ("\n");                                    \
      failures++;                                       \
    }                                                   \
  } G_STMT_END

void scan_begin (Scan * scan, GstVideoFormat format, gint width, gint height,
    gint fps_n, gint fps_d, const gchar * properties);
void scan_check (Scan * scan, const gchar * what);
void scan_end (Scan * scan);
GstBuffer *scan_make_frame (Scan * scan, guint8 value);
GstFlowReturn scan_pass (Scan * scan, GstBuffer * buffer, GstClockTime time);
GstBuffer *scan_pull (Scan * scan);
GstFlowReturn scan_push (Scan * scan, GstBuffer * buffer, GstClockTime time,
    GstClockTime duration);
void scan_run (Scan * scan, guint frames);
void scan_set (Scan * scan, const gchar * name, const gchar * value);
