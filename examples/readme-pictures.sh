#!/usr/bin/env bash
# Makes the README's images from the bundled clip: one frame of each mode.
#
# The plugin must be where GStreamer finds it (GST_PLUGIN_PATH).
set -euo pipefail
cd "$(dirname "$0")"

# picture NAME FRAME WIDTH PROPERTIES…: the frame with that number, scaled to that width.
picture() {
  local name=$1 frame=$2 width=$3
  shift 3
  # Every picture replaces the one before; the last one before the stream ends is the one wanted.
  gst-launch-1.0 -q filesrc location=footage/bigbuckbunny.mp4 ! qtdemux ! decodebin ! videoconvert \
    ! identity eos-after=$((frame + 2)) ! slitscan "$@" \
    ! videoscale ! "video/x-raw,width=$width,pixel-aspect-ratio=1/1" ! videoconvert ! video/x-raw,format=RGB \
    ! jpegenc quality=88 ! multifilesink location="pictures/$name.jpg"
}

mkdir -p pictures
picture displace 58 720 map=radial gain=4 edge=mirror depth=60 interpolation=linear
picture sweep 95 720 mode=sweep angle=90 sweep-duration=4000000000
picture strip 131 528 mode=strip angle=90 position=0.27 slit-width=4 canvas-length=528
