/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The descriptions that the simulated camera gives: YUYV only, in two sizes, or
 * Motion-JPEG only, in one; always at 30 frames per second. */

#define _GNU_SOURCE
#include "Formats.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_PER_PIXEL 2
#define SIZE_COUNT (gives_jpeg ? 1 : sizeof (sizes) / sizeof (sizes[0]))
#define PIXEL_FORMAT (gives_jpeg ? V4L2_PIX_FMT_MJPEG : V4L2_PIX_FMT_YUYV)

static const PictureSize sizes[] = { {640, 480}, {320, 240} };

const PictureSize *const default_size = &sizes[0];
bool gives_jpeg;

unsigned
image_bytes (const PictureSize * size)
{
  return BYTES_PER_PIXEL * size->width * size->height;
}

int
describe_capabilities (struct v4l2_capability *capability)
{
  *capability = (struct v4l2_capability) {
    .driver = "simulated",
    .card = "Simulated Camera",
    .bus_info = "platform:simulated-camera",
    .version = 0x060100,        /* 6.1.0, the kernel of Debian 12 */
    .device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING |
        V4L2_CAP_EXT_PIX_FORMAT,
  };
  capability->capabilities = capability->device_caps | V4L2_CAP_DEVICE_CAPS;
  return 0;
}

int
describe_input (struct v4l2_input *input)
{
  if (input->index != 0)
    return EINVAL;
  *input = (struct v4l2_input) {
    .name = "Camera",
    .type = V4L2_INPUT_TYPE_CAMERA,
  };
  return 0;
}

int
describe_format_choice (struct v4l2_fmtdesc *format)
{
  if (format->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || format->index != 0)
    return EINVAL;
  *format = (struct v4l2_fmtdesc) {
    .type = V4L2_BUF_TYPE_VIDEO_CAPTURE,
    .flags = gives_jpeg ? V4L2_FMT_FLAG_COMPRESSED : 0,
    .pixelformat = PIXEL_FORMAT,
  };
  strcpy ((char *) format->description,
      gives_jpeg ? "Motion-JPEG" : "YUYV 4:2:2");
  return 0;
}

int
describe_size_choice (struct v4l2_frmsizeenum *size)
{
  const uint32_t index = size->index;

  if (size->pixel_format != PIXEL_FORMAT || index >= SIZE_COUNT)
    return EINVAL;
  *size = (struct v4l2_frmsizeenum) {
    .index = index,
    .pixel_format = PIXEL_FORMAT,
    .type = V4L2_FRMSIZE_TYPE_DISCRETE,
    .discrete = {sizes[index].width, sizes[index].height},
  };
  return 0;
}

int
describe_interval_choice (struct v4l2_frmivalenum *interval)
{
  const uint32_t width = interval->width;
  const uint32_t height = interval->height;

  if (interval->index != 0 || interval->pixel_format != PIXEL_FORMAT)
    return EINVAL;
  for (unsigned i = 0; i < SIZE_COUNT; i++) {
    if (width == sizes[i].width && height == sizes[i].height) {
      *interval = (struct v4l2_frmivalenum) {
        .pixel_format = PIXEL_FORMAT,
        .width = width,
        .height = height,
        .type = V4L2_FRMIVAL_TYPE_DISCRETE,
        .discrete = {1, FRAMES_PER_SECOND},
      };
      return 0;
    }
  }
  return EINVAL;
}

/* Serves getting and setting alike, as there is only one frame rate. */
int
describe_parameters (struct v4l2_streamparm *parameters)
{
  if (parameters->type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
    return EINVAL;
  *parameters = (struct v4l2_streamparm) {
    .type = V4L2_BUF_TYPE_VIDEO_CAPTURE,
    .parm.capture.capability = V4L2_CAP_TIMEPERFRAME,
    .parm.capture.timeperframe = {1, FRAMES_PER_SECOND},
    .parm.capture.readbuffers = BUFFER_LIMIT,
  };
  return 0;
}

void
describe_format (const PictureSize * size, struct v4l2_format *format)
{
  *format = (struct v4l2_format) {
    .type = V4L2_BUF_TYPE_VIDEO_CAPTURE,
    .fmt.pix.width = size->width,
    .fmt.pix.height = size->height,
    .fmt.pix.pixelformat = PIXEL_FORMAT,
    .fmt.pix.field = V4L2_FIELD_NONE,
    .fmt.pix.bytesperline = gives_jpeg ? 0 : BYTES_PER_PIXEL * size->width,
    .fmt.pix.sizeimage = image_bytes (size),
    .fmt.pix.colorspace = V4L2_COLORSPACE_SMPTE170M,
    /* Says that the members below count, too. */
    .fmt.pix.priv = V4L2_PIX_FMT_PRIV_MAGIC,
    .fmt.pix.ycbcr_enc = V4L2_YCBCR_ENC_601,
    .fmt.pix.quantization = V4L2_QUANTIZATION_LIM_RANGE,
    .fmt.pix.xfer_func = V4L2_XFER_FUNC_709,
  };
}

const PictureSize *
nearest_size (const struct v4l2_format *format)
{
  const PictureSize *nearest = default_size;
  int64_t least_difference = INT64_MAX;

  for (unsigned i = 0; i < SIZE_COUNT; i++) {
    int64_t difference =
        llabs ((int64_t) sizes[i].width - format->fmt.pix.width) +
        llabs ((int64_t) sizes[i].height - format->fmt.pix.height);

    if (difference < least_difference) {
      nearest = &sizes[i];
      least_difference = difference;
    }
  }
  return nearest;
}
