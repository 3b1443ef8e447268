#!/usr/bin/python3
"""Plays a file or URI by playbin with slitscan as its video filter: sound, subtitles and seeks are playbin's.

    play.py FILE|URI [SINK]
"""

import os
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst

Gst.init(None)
if len(sys.argv) < 2:
    sys.exit("Usage: play.py FILE|URI [SINK]")
player = Gst.ElementFactory.make("playbin")
name = sys.argv[1]
player.props.uri = name if Gst.uri_is_valid(name) else Gst.filename_to_uri(os.path.abspath(name))
player.props.video_filter = Gst.parse_launch("slitscan map=radial depth=60 interpolation=linear")
if len(sys.argv) > 2:
    player.props.video_sink = Gst.parse_bin_from_description(sys.argv[2], True)

player.set_state(Gst.State.PLAYING)
bus = player.get_bus()
kinds = Gst.MessageType.EOS | Gst.MessageType.ERROR
# In steps, so that Ctrl-C is heard.
while not (message := bus.timed_pop_filtered(Gst.SECOND // 4, kinds)):
    pass
player.set_state(Gst.State.NULL)
if message.type == Gst.MessageType.ERROR:
    sys.exit(f"{message.src.name}: {message.parse_error()[0].message}")
print("The end.")
