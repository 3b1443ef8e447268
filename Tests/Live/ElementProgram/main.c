/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Tests of the element that take a process of their own.
 *
 *   ElementProgram stress [SECONDS [SEED]]
 *   ElementProgram lifecycle [COUNT]
 *   ElementProgram soak [MINUTES]
 *   ElementProgram limits [CASE] */

#include "program.h"

#include <gst/gst.h>
#include <slitscan-plugin.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void
program_begin (void)
{
  gst_init (NULL, NULL);
  /* No test here misuses the element, so a critical warning is a failure. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  /* Else GStreamer finds the plugin. */
  if (g_getenv ("SLITSCAN_TEST_PLUGIN") == NULL)
    gst_plugin_slitscan_register ();
}

gssize
program_bytes (gboolean resident)
{
  FILE *file = fopen ("/proc/self/statm", "r");
  unsigned long all = 0, pages = 0;

  if (file == NULL || fscanf (file, "%lu %lu", &all, &pages) != 2)
    exit (2);
  fclose (file);
  return (resident ? pages : all) * sysconf (_SC_PAGESIZE);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const gchar *name;
    int (*run) (int argc, char **argv);
  } parts[] = {
    {"stress", stress}, {"lifecycle", lifecycle}, {"soak", soak},
    {"limits", limits},
  };

  for (guint index = 0; index < G_N_ELEMENTS (parts); index++) {
    if (argc > 1 && g_str_equal (argv[1], parts[index].name))
      return parts[index].run (argc - 1, argv + 1);
  }
  g_printerr ("Usage: ElementProgram stress|lifecycle|soak|limits [...]\n");
  return 2;
}
