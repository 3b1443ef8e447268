/* GStreamer and its video library, as Swift and the plugin's C see them. */
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>
#include <gst/video/gstvideofilter.h>
