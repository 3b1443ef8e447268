#!/usr/bin/python3
"""Changes properties of slitscan while it plays: every second another map, and the depth goes up and down.

    live.py [SECONDS [SINK]]
"""

import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst

MAPS = ["linear", "radial", "angular", "spiral", "grid", "luma"]

Gst.init(None)
seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30
sink = sys.argv[2] if len(sys.argv) > 2 else "videoconvert ! autovideosink"
pipeline = Gst.parse_launch(
    f"videotestsrc is-live=true pattern=ball ! slitscan name=scan interpolation=linear ! {sink}"
)
scan = pipeline.get_by_name("scan")
loop = GLib.MainLoop()
tick = 0
failure = None


def turn():
    """Takes effect with the next frame; nothing stops for it."""
    global tick
    scan.props.map = MAPS[tick % len(MAPS)]
    scan.props.depth = 20 + 20 * (tick % 4)
    print(f"map={scan.props.map.value_nick} depth={scan.props.depth}", flush=True)
    tick += 1
    return GLib.SOURCE_CONTINUE


def on_error(bus, message):
    global failure
    failure = f"{message.src.name}: {message.parse_error()[0].message}"
    loop.quit()


bus = pipeline.get_bus()
bus.add_signal_watch()
bus.connect("message::error", on_error)
turn()
GLib.timeout_add(1000, turn)
GLib.timeout_add(int(seconds * 1000), loop.quit)
pipeline.set_state(Gst.State.PLAYING)
try:
    loop.run()
except KeyboardInterrupt:
    pass
finally:
    print("frames:", scan.props.stats.get_value("frames"))
    pipeline.set_state(Gst.State.NULL)
sys.exit(failure)
