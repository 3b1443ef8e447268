/* GStreamer's controllers, as Swift sees them: values that move by themselves. */
#pragma once

#include <gst/controller/controller.h>
