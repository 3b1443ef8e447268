/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Reads the JPEG image of the simulated camera from a file. */

#include "StillPicture.h"

#include <stdio.h>
#include <string.h>

#define BYTE_LIMIT (1 << 20)

static uint8_t picture[BYTE_LIMIT];
static unsigned picture_bytes;

bool
still_picture_load (const char *path)
{
  FILE *file = fopen (path, "rb");

  if (file == NULL)
    return false;
  picture_bytes = fread (picture, 1, BYTE_LIMIT, file);
  fclose (file);
  return picture_bytes > 0 && picture_bytes < BYTE_LIMIT;
}

unsigned
still_picture_copy (uint8_t * bytes, unsigned room)
{
  if (picture_bytes > room)
    return 0;
  memcpy (bytes, picture, picture_bytes);
  return picture_bytes;
}
