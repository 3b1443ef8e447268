/* RtMidi's interface for C, as Swift sees it: MIDI by ALSA and JACK. */
#pragma once

#include <rtmidi_c.h>
