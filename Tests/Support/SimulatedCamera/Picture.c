/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The pictures that the simulated camera films, see Picture.h. */

#define _GNU_SOURCE
#include "Picture.h"

#include <stdio.h>
#include <string.h>

#define BYTE_LIMIT (1 << 20)
#define CELLS_PER_HEIGHT 120
#define CODE_BITS 12
#define BLACK 16
#define GREY 128
#define WHITE 235

static uint8_t still[BYTE_LIMIT];
static unsigned still_bytes;

void
picture_load (const char *path)
{
  FILE *file = fopen (path, "rb");

  if (file == NULL)
    return;
  still_bytes = fread (still, 1, BYTE_LIMIT, file);
  fclose (file);
  gives_jpeg = still_bytes > 0 && still_bytes < BYTE_LIMIT;
}

unsigned
picture_paint (uint8_t * bytes, const PictureSize * size, uint32_t frame)
{
  const unsigned cell = size->height / CELLS_PER_HEIGHT;
  const uint32_t code = frame ^ frame >> 1;

  if (gives_jpeg) {
    if (still_bytes > image_bytes (size))
      return 0;
    memcpy (bytes, still, still_bytes);
    return still_bytes;
  }
  /* A cell is an even number of pixels wide, so the two pixels that share their
   * chroma are always of one luma. */
  for (unsigned y = 0; y < size->height; y++) {
    for (unsigned x = 0; x < size->width; x++) {
      const unsigned bit = x / cell;

      *bytes++ = bit >= CODE_BITS ? GREY
          : code >> (CODE_BITS - 1 - bit) & 1 ? WHITE : BLACK;
      *bytes++ = GREY;          /* no colour */
    }
  }
  return image_bytes (size);
}
