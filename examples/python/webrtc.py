#!/usr/bin/python3
"""Sends slit-scanned video from one webrtcbin to another, both in this process, and shows what arrives.

    webrtc.py [FRAMES [SINK]]    ends once so many frames have arrived
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # The last two have the types of descriptions.

Gst.init(None)
frames = int(sys.argv[1]) if len(sys.argv) > 1 else 300
sink = sys.argv[2] if len(sys.argv) > 2 else "autovideosink"
pipeline = Gst.parse_launch(
    "webrtcbin name=sender bundle-policy=max-bundle webrtcbin name=receiver bundle-policy=max-bundle"
    " videotestsrc is-live=true horizontal-speed=4 ! video/x-raw,width=320,height=240"
    " ! slitscan map=radial depth=60 ! videoconvert ! vp8enc deadline=1 keyframe-max-dist=30"
    " ! rtpvp8pay ! application/x-rtp,media=video,encoding-name=VP8,payload=96 ! sender."
)
sender, receiver = pipeline.get_by_name("sender"), pipeline.get_by_name("receiver")
# By the loopback address alone, so that this needs no network. The agents must outlive the pipeline.
agents = [element.props.ice_agent for element in (sender, receiver)]
for agent in agents:
    agent.emit("add-local-ip-address", "127.0.0.1")
loop = GLib.MainLoop()
arrived = 0
failure = None

# Two programs would send these candidates, and below the offer and its answer, by a server of their own.
sender.connect("on-ice-candidate", lambda _, line, text: receiver.emit("add-ice-candidate", line, text))
receiver.connect("on-ice-candidate", lambda _, line, text: sender.emit("add-ice-candidate", line, text))


def describe(element, kind, done):
    """Makes the offer or answer of an element, sets it there, and gives it to `done`."""

    def made(promise):
        # The description is a part of the reply.
        reply = promise.get_reply()
        description = reply.get_value(kind)
        element.emit("set-local-description", description, None)
        done(description)

    element.emit(f"create-{kind}", None, Gst.Promise.new_with_change_func(made))


def on_offer(offer):
    receiver.emit("set-remote-description", offer, None)
    describe(receiver, "answer", lambda answer: sender.emit("set-remote-description", answer, None))


sender.connect("on-negotiation-needed", lambda element: describe(element, "offer", on_offer))


def on_frame(element, buffer):
    global arrived
    arrived += 1
    if arrived == frames:
        loop.quit()


def on_pad(_, pad):
    """Decodes and shows the video that arrives."""
    shown = Gst.parse_bin_from_description(
        f"rtpvp8depay ! vp8dec ! videoconvert ! identity name=arrived signal-handoffs=true ! {sink}", True
    )
    shown.get_by_name("arrived").connect("handoff", on_frame)
    pipeline.add(shown)
    shown.sync_state_with_parent()
    pad.link(shown.get_static_pad("sink"))


receiver.connect("pad-added", on_pad)


def on_error(_, message):
    global failure
    failure = f"{message.src.name}: {message.parse_error()[0].message}"
    loop.quit()


bus = pipeline.get_bus()
bus.add_signal_watch()
bus.connect("message::error", on_error)
pipeline.set_state(Gst.State.PLAYING)
try:
    loop.run()
except KeyboardInterrupt:
    pass
finally:
    print("frames:", arrived)
    pipeline.set_state(Gst.State.NULL)
sys.exit(failure)
