/* GStreamer's library for sound, as Swift sees it. */
#pragma once

#include <gst/audio/audio.h>
