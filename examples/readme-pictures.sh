#!/usr/bin/env bash
# Makes the pictures of the README and of gst/README.md from the bundled clip: the one that moves, and one frame of
# each mode.
#
# Needs ffmpeg. The plugin must be where GStreamer finds it (GST_PLUGIN_PATH).
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

# The one that moves. The clip runs to and fro, twice: the second time, the history is what it is at the end, too, and
# the animation loops without a jump.
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
ffmpeg -v error -i footage/bigbuckbunny.mp4 -an -filter_complex "
  trim=start_frame=14:end_frame=80, setpts=PTS-STARTPTS, scale=480:-1:flags=area, split [to][copy];
  [copy] reverse, trim=start_frame=1:end_frame=65, setpts=PTS-STARTPTS [fro];
  [to][fro] concat, split [first][second]; [first][second] concat, fps=25" -c:v libx264 -qp 0 "$frames/to-and-fro.mkv"
gst-launch-1.0 -q filesrc location="$frames/to-and-fro.mkv" ! decodebin ! videoconvert ! slitscan @preset=Ripples \
  ! videoconvert ! pngenc compression-level=1 ! multifilesink location="$frames/%03d.png"
# At a lower quality, the encoder keeps blocks from frame to frame where they differ visibly.
ffmpeg -v error -y -framerate 25 -start_number 130 -i "$frames/%03d.png" -vf scale=400:-2 \
  -c:v libwebp_anim -quality 76 -compression_level 5 -loop 0 pictures/slitscan.webp
