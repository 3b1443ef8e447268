/* GStreamer's test library, as Swift sees it: elements in a harness. */
#pragma once

#include <gst/check/gstharness.h>
