#!/usr/bin/python3
"""Reads the last output frame of slitscan as a NumPy array.

    snapshot.py [PNG]    writes it too, where Pillow is installed
"""

import sys

import gi
import numpy

gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstVideo


def pixels(sample):
    """Height × width × 3 bytes, red, green, blue."""
    rgb = GstVideo.video_convert_sample(
        sample, Gst.Caps.from_string("video/x-raw,format=RGB"), Gst.CLOCK_TIME_NONE
    )
    info = GstVideo.VideoInfo.new_from_caps(rgb.get_caps())
    buffer = rgb.get_buffer()
    data = numpy.frombuffer(buffer.extract_dup(0, buffer.get_size()), numpy.uint8)
    # A row of RGB is padded to four bytes.
    rows = data[: info.height * info.stride[0]].reshape(info.height, info.stride[0])
    return rows[:, : info.width * 3].reshape(info.height, info.width, 3)


Gst.init(None)
pipeline = Gst.parse_launch(
    "videotestsrc pattern=ball num-buffers=120 ! video/x-raw,width=321,height=240"
    " ! slitscan name=scan map=radial depth=60 ! fakesink"
)
pipeline.set_state(Gst.State.PLAYING)
message = pipeline.get_bus().timed_pop_filtered(
    30 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR
)
sample = pipeline.get_by_name("scan").emit("snapshot")
pipeline.set_state(Gst.State.NULL)
if sample is None:
    sys.exit(message.parse_error()[0].message if message else "No picture has come out.")

picture = pixels(sample)
print("shape:", picture.shape, "mean:", round(float(picture.mean()), 2))

if len(sys.argv) > 1:
    try:
        from PIL import Image
    except ImportError:
        sys.exit("Pillow (python3-pil) is missing, so there is no PNG.")
    Image.fromarray(picture).save(sys.argv[1])
    print("saved:", sys.argv[1])
