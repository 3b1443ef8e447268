#!/usr/bin/env bash
# Makes an image of every preset from the bundled clip, and a sheet of all with their names.
#
# Needs ImageMagick, fontconfig and a font. The plugin must be where GStreamer finds it (GST_PLUGIN_PATH).
set -euo pipefail
cd "$(dirname "$0")"
presets=../gst/presets/GstSlitScan.prs

# The frame of the clip that the pictures are taken at; strips, when their canvas is full.
frame=58
strip_frame=131
width=426

mkdir -p pictures/presets
pictures=()
while read -r name; do
  at=$frame
  if sed -n "/^\[$name\]/,/^$/p" "$presets" | grep -q '^mode=strip'; then at=$strip_frame; fi
  file=pictures/presets/$(tr 'A-Z ' 'a-z-' <<<"$name").jpg
  # Every picture replaces the one before; the last one before the stream ends is the one wanted.
  gst-launch-1.0 -q filesrc location=footage/bigbuckbunny.mp4 ! qtdemux ! decodebin ! videoconvert \
    ! videoscale ! "video/x-raw,width=$width,pixel-aspect-ratio=1/1" \
    ! identity eos-after=$((at + 2)) ! slitscan "@preset=$name" \
    ! videoconvert ! video/x-raw,format=RGB ! jpegenc quality=85 ! multifilesink location="$file"
  pictures+=(-label "$name" "$file")
done < <(sed -nE 's/^\[([^_].*)\]$/\1/p' "$presets")

# Pictures of any shape (a strip's canvas may have its own) in cells of one size.
# Some font; ImageMagick's own choice may not be installed.
font=$(fc-match --format='%{file}' sans-serif)
montage "${pictures[@]}" -geometry "$((width / 2 + 10))x134+6+6" -tile 4x -background '#141414' \
  -font "$font" -fill white -pointsize 13 pictures/presets.jpg
echo "$PWD/pictures/presets.jpg"
