/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The simulated camera's description of itself and its formats: the ioctls
 * that describe things and touch no stream. Those that return int return 0 or
 * an errno value. */

#ifndef SIMULATED_CAMERA_FORMATS_H
#define SIMULATED_CAMERA_FORMATS_H

#include <linux/videodev2.h>
#include <stdbool.h>

#define FRAMES_PER_SECOND 30
#define BUFFER_LIMIT 4

typedef struct
{
  unsigned width;               /* pixels */
  unsigned height;
} PictureSize;

extern const PictureSize *const default_size;

/* Whether pictures are compressed; set before the camera is there. */
extern bool gives_jpeg;

/* The most bytes that a picture takes. */
unsigned image_bytes (const PictureSize * size);

int describe_capabilities (struct v4l2_capability *capability);
int describe_input (struct v4l2_input *input);
int describe_format_choice (struct v4l2_fmtdesc *format);
int describe_size_choice (struct v4l2_frmsizeenum *size);
int describe_interval_choice (struct v4l2_frmivalenum *interval);
int describe_parameters (struct v4l2_streamparm *parameters);
void describe_format (const PictureSize * size, struct v4l2_format *format);

/* The size that the camera gives to a program that asks for `format`. */
const PictureSize *nearest_size (const struct v4l2_format *format);

#endif
