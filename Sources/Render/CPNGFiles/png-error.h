/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The first error of libpng, or of the system, with a file. */
#pragma once

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  int number;
  char text[128];
} PngError;

/* Takes note of an error of the system. */
static inline void
png_error_of_system (PngError * self)
{
  self->number = errno;
  snprintf (self->text, sizeof (self->text), "%s", strerror (errno));
}

/* Called by libpng; must not return. */
static inline void
png_error_fail (png_structp png, png_const_charp message)
{
  PngError *self = png_get_error_ptr (png);

  if (self->text[0] == '\0') {
    self->number = errno;
    snprintf (self->text, sizeof (self->text), "%s", message);
  }
  png_longjmp (png, 1);
}

/* Called by libpng: nothing that a person could do something about. */
static inline void
png_error_ignore (png_structp png, png_const_charp message)
{
  (void) png;
  (void) message;
}
