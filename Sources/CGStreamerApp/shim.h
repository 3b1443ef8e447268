/* GStreamer's library for applications, as Swift sees it: appsink and appsrc. */
#pragma once

#include <gst/app/app.h>
