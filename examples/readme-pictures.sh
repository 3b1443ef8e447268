#!/usr/bin/env bash
# Makes the pictures of the README, of gst/README.md and of Live.md from the bundled clip: those that move, one frame of
# each mode, and the terminal during a show.
#
# Needs ffmpeg, imagemagick, xvfb, xdotool and xterm. The plugin must be where GStreamer finds it (GST_PLUGIN_PATH), and
# the command `slitscan` in PATH.
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

# A fast pan over a frame of the clip, by each interpolation.
pan=$(mktemp -d)
trap 'rm -rf "$pan"' EXIT
ffmpeg -v error -ss 1 -i footage/bigbuckbunny.mp4 -frames:v 1 -vf scale=1920:-2:flags=lanczos "$pan/still.png"
ffmpeg -v error -loop 1 -i "$pan/still.png" -frames:v 20 -vf "crop=480:720:600+36*n:200" -c:v libx264 -qp 0 "$pan/pan.mkv"
for interpolation in nearest linear motion; do
  gst-launch-1.0 -q filesrc location="$pan/pan.mkv" ! decodebin ! videoconvert \
    ! slitscan depth=16 interpolation=$interpolation ! videoconvert ! pngenc \
    ! multifilesink location="$pan/$interpolation.png"
done
ffmpeg -v error -y -i "$pan/nearest.png" -i "$pan/linear.png" -i "$pan/motion.png" -filter_complex hstack=3,scale=1080:-2 \
  -frames:v 1 -q:v 3 pictures/interpolation.jpg

# The one that moves. The clip runs to and fro, twice: the second time, the history is what it is at the end, too, and
# the animation loops without a jump.
frames=$(mktemp -d)
trap 'rm -rf "$pan" "$frames"' EXIT
ffmpeg -v error -i footage/bigbuckbunny.mp4 -an -filter_complex "
  trim=start_frame=14:end_frame=80, setpts=PTS-STARTPTS, scale=480:-1:flags=area, split [to][copy];
  [copy] reverse, trim=start_frame=1:end_frame=65, setpts=PTS-STARTPTS [fro];
  [to][fro] concat, split [first][second]; [first][second] concat, fps=25" -c:v libx264 -qp 0 "$frames/to-and-fro.mkv"
gst-launch-1.0 -q filesrc location="$frames/to-and-fro.mkv" ! decodebin ! videoconvert ! slitscan @preset=Ripples \
  ! videoconvert ! pngenc compression-level=1 ! multifilesink location="$frames/%03d.png"
# At a lower quality, the encoder keeps blocks from frame to frame where they differ visibly.
ffmpeg -v error -y -framerate 25 -start_number 130 -i "$frames/%03d.png" -vf scale=400:-2 \
  -c:v libwebp_anim -quality 76 -compression_level 5 -loop 0 pictures/slitscan.webp

# A show: rings of the second half of the clip grow into the first, a hand draws the map, and it comes back.
show=$(mktemp -d)
trap 'rm -rf "$pan" "$frames" "$show"' EXIT
ffmpeg -v error -i footage/bigbuckbunny.mp4 -t 2.6 -an -vf scale=640:-2 -qp 0 "$show/first.mkv" \
  -ss 2.6 -an -vf scale=640:-2,hflip,hue=h=150 -qp 0 "$show/second.mkv"
cat >"$show/show.txt" <<END
0 set map radial depth 50 interpolation linear gain 2 edge mirror
4 record on $show/show.mkv
4.2 source 2
6.5 set map live gain 1
6.6 draw 1 0.5 0.6 x 0.1 0.2 0.2 0.4 0.3 0.3
7.0 draw 0.6 0.4 0.6 x 0.3 0.3 0.4 0.7 0.5 0.5
7.4 draw 1 0.5 0.6 x 0.5 0.5 0.5 0.9
8.0 draw-fade 1.5
8.4 source 1 2
10.5 record off
END
slitscan live "$show/first.mkv" "$show/second.mkv" --size 640x360 --fps 25 --output "sink:fakesink sync=false" \
  --replay "$show/show.txt" --duration 11s </dev/null >"$show/said.txt" 2>&1 || cat "$show/said.txt"
ffmpeg -v error -y -i "$show/show.mkv" -vf "fps=12.5,scale=400:-2" -c:v libwebp_anim -quality 60 -compression_level 5 \
  -loop 0 pictures/show.webp

# The terminal during a show: a preset glides to the next one, and everything is recorded.
terminal=$(mktemp -d)
trap 'rm -rf "$pan" "$frames" "$show" "$terminal"' EXIT
cat >"$terminal/live.sh" <<END
cd $terminal
exec slitscan live "$PWD/footage/bigbuckbunny.mp4" --preset Vortex --output "sink:fakesink sync=true" --duration 9s
END
xvfb-run -a -s "-screen 0 1320x464x24" sh -c "
  xterm -fa 'DejaVu Sans Mono' -fs 11 -geometry 146x24+0+0 -bg '#101014' -fg '#d8d8d8' +sb -e sh '$terminal/live.sh' &
  sleep 4
  xdotool type rgp
  sleep 2
  import -window root -quality 88 pictures/live.jpg
  wait"
