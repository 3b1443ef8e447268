#!/usr/bin/env bash
# Installs what is missing on a Debian machine with Swift, builds the plugin, and plays the bundled clip
# through the three modes of slitscan.
#
# Leaves quickstart/displace.mp4, quickstart/sweep.mp4 and quickstart/strip.png, and opens a window if
# there is a display.
set -euo pipefail
cd "$(dirname "$0")/.."
source examples/install-packages.sh

if ! command -v swift >/dev/null; then
  echo "quickstart: Swift 6.3 is missing. Get it from https://www.swift.org/install/linux, then run" \
    "this again." >&2
  exit 1
fi
install_packages libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev libglib2.0-dev pkg-config \
  gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly \
  gstreamer1.0-libav gstreamer1.0-x

echo "Building the plugin…"
plugin=$(./gst/make-plugin.sh)
GST_PLUGIN_PATH=$(dirname "$plugin")
export GST_PLUGIN_PATH

clip=examples/footage/bigbuckbunny.mp4
out=quickstart
mkdir -p "$out"

# Plays the clip through slitscan with the given properties into an MP4 file, its sound untouched.
render() {
  local file=$1
  shift
  echo "Rendering $file: slitscan $*"
  gst-launch-1.0 -q -e filesrc location="$clip" ! qtdemux name=demux \
    demux.video_0 ! queue ! decodebin ! videoconvert ! slitscan "$@" \
    ! videoconvert ! video/x-raw,format=I420 ! x264enc speed-preset=veryfast quantizer=20 pass=quant \
    ! queue ! mux. \
    demux.audio_0 ! queue ! aacparse ! mux. \
    mp4mux name=mux faststart=true ! filesink location="$out/$file"
}

render displace.mp4 map=radial gain=4 edge=mirror depth=60 interpolation=linear
render sweep.mp4 mode=sweep angle=90 sweep-duration=5000000000

# A strip becomes a photograph with the clip's last frame: every picture replaces the one before.
echo "Rendering strip.png: slitscan mode=strip angle=90 position=0.27 slit-width=4 canvas-length=528"
gst-launch-1.0 -q filesrc location="$clip" ! qtdemux ! decodebin ! videoconvert \
  ! slitscan mode=strip angle=90 position=0.27 slit-width=4 canvas-length=528 \
  ! videoconvert ! pngenc compression-level=1 ! multifilesink location="$out/strip.png"

cat <<END

Done. In displace.mp4 time runs in rings, sweep.mp4 is frozen by a slit that moves to the right, and
strip.png is four columns of every frame, side by side:

  $PWD/$out/displace.mp4
  $PWD/$out/sweep.mp4
  $PWD/$out/strip.png

To play with it yourself, paste:

  export GST_PLUGIN_PATH=$(printf %q "$GST_PLUGIN_PATH")"\${GST_PLUGIN_PATH:+:\$GST_PLUGIN_PATH}"
  gst-launch-1.0 v4l2src ! slitscan ! autovideosink
  gst-inspect-1.0 slitscan
END

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  echo
  echo "Playing the clip through slitscan…"
  gst-launch-1.0 -q filesrc location="$clip" ! decodebin ! videoconvert \
    ! slitscan map=radial gain=4 edge=mirror depth=60 interpolation=linear ! videoconvert \
    ! autovideosink ||
    echo "quickstart: the window could not be opened; the files above are complete." >&2
fi
