/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The one JPEG image that the simulated camera delivers: a file, so that
 * nothing here needs to encode. */

#ifndef SIMULATED_CAMERA_STILL_PICTURE_H
#define SIMULATED_CAMERA_STILL_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

/* To be called once, while there is only one thread. */
bool still_picture_load (const char *path);

/* Puts the picture into a buffer of `room` bytes. Returns its bytes. */
unsigned still_picture_copy (uint8_t * bytes, unsigned room);

#endif
