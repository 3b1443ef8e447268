/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The parts of ElementProgram. Each has arguments of its own, argv[0] being its
 * name, and returns the exit status. */
#pragma once

#include <glib.h>

/* Starts GStreamer with the element in it; criticals end the process. */
void program_begin (void);

/* The bytes of the process: of all its addresses, or of those that lie in
 * memory. History is not malloc's. */
gssize program_bytes (gboolean resident);

int lifecycle (int argc, char **argv);
int limits (int argc, char **argv);
int soak (int argc, char **argv);
int stress (int argc, char **argv);
