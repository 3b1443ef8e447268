#!/usr/bin/python3
"""Animates properties of slitscan with GstController: the centre moves from left to right by keyframes, the
gain oscillates by an LFO.

    automation.py [SECONDS [SINK]]
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstController", "1.0")
from gi.repository import Gst, GstController

Gst.init(None)
seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
sink = sys.argv[2] if len(sys.argv) > 2 else "videoconvert ! autovideosink"
pipeline = Gst.parse_launch(
    f"videotestsrc pattern=ball num-buffers={30 * seconds} ! video/x-raw,framerate=30/1"
    f" ! slitscan name=scan map=radial edge=mirror depth=60 ! {sink}"
)
scan = pipeline.get_by_name("scan")


def share(name, value):
    """What a DirectControlBinding calls the value: 0 is the property's minimum and 1 its maximum."""
    spec = scan.find_property(name)
    return (value - spec.minimum) / (spec.maximum - spec.minimum)


# Keyframes: at the left edge when it begins, at the right edge when it ends.
keyframes = GstController.InterpolationControlSource()
keyframes.props.mode = GstController.InterpolationMode.LINEAR
keyframes.set(0, share("center-x", 0))
keyframes.set(seconds * Gst.SECOND, share("center-x", 1))
scan.add_control_binding(GstController.DirectControlBinding.new(scan, "center-x", keyframes))

# A swing between gains of 1 and 3, every two seconds.
low, high = share("gain", 1), share("gain", 3)
swing = GstController.LFOControlSource()
swing.props.waveform = GstController.LFOWaveform.SINE
swing.props.frequency = 0.5
swing.props.offset = (low + high) / 2
swing.props.amplitude = (high - low) / 2
scan.add_control_binding(GstController.DirectControlBinding.new(scan, "gain", swing))

pipeline.set_state(Gst.State.PLAYING)
bus = pipeline.get_bus()
kinds = Gst.MessageType.EOS | Gst.MessageType.ERROR
while not (message := bus.timed_pop_filtered(Gst.SECOND // 4, kinds)):
    print(f"center-x={scan.props.center_x:.3f} gain={scan.props.gain:.3f}", flush=True)
print(f"center-x={scan.props.center_x:.3f} gain={scan.props.gain:.3f}")
pipeline.set_state(Gst.State.NULL)
if message.type == Gst.MessageType.ERROR:
    sys.exit(message.parse_error()[0].message)
