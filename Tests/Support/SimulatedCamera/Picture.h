/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The picture of the simulated camera: its frame number, along the left edge in
 * every row, so that each line of a slit-scan picture tells which frame it was
 * taken from. The rest is grey.
 *
 * One cell is height / 120 pixels. The number has 12 bits, one cell each, the
 * highest at the edge; white is 1 and black is 0. It is a Gray code, since a
 * blend of two neighbouring frames then reads as one of the two instead of as
 * nonsense. */
#pragma once

#include <stdint.h>

#include "Formats.h"

/* Films a JPEG image in a file instead, so that nothing here needs to encode.
 * To be called once, while there is only one thread. */
void picture_load (const char *path);

/* Paints a frame, without padding at the ends of rows. Returns its bytes. */
unsigned picture_paint (uint8_t * bytes, const PictureSize * size,
    uint32_t frame);
