#!/usr/bin/env bash
# Makes an image of every preset from the bundled clip, and a sheet of all with their names.
#
#   contact-sheet.sh          pictures/presets/*.jpg and pictures/presets.jpg
#   contact-sheet.sh --gpu    pictures/presets-gpu.jpg: each preset by slitscan and by glslitscan, and how much the
#                             two differ at most; without a GPU too, with GST_GL_PLATFORM=egl GST_GL_WINDOW=egl-device
#
# Needs ImageMagick, fontconfig and a font. The plugins must be where GStreamer finds them (GST_PLUGIN_PATH).
set -euo pipefail
cd "$(dirname "$0")"
presets=../gst/presets/GstSlitScan.prs

# The frame of the clip that the pictures are taken at; strips, when their canvas is full.
frame=58
strip_frame=131
width=426

# Writes the picture of a preset: its name, the encoder, the file, the elements before and after the preset.
picture() {
  local at=$frame name=$1 encoder=$2 file=$3
  shift 3
  if sed -n "/^\[$name\]/,/^$/p" "$presets" | grep -q '^mode=strip'; then at=$strip_frame; fi
  # Every picture replaces the one before; the last one before the stream ends is the one wanted.
  # shellcheck disable=SC2086
  gst-launch-1.0 -q filesrc location=footage/bigbuckbunny.mp4 ! qtdemux ! decodebin ! videoconvert \
    ! videoscale ! "video/x-raw,width=$width,pixel-aspect-ratio=1/1" \
    ! identity eos-after=$((at + 2)) ! $1 "@preset=$name" ! ${2-} \
    videoconvert ! video/x-raw,format=RGB ! $encoder ! multifilesink location="$file"
}

# Pictures of any shape (a strip's canvas may have its own) in cells of one size.
sheet() {
  local file=$1 columns=$2 size=$3 font
  shift 3
  # Some font; ImageMagick's own choice may not be installed.
  font=$(fc-match --format='%{file}' sans-serif)
  montage "$@" -geometry "$size+6+6" -tile "${columns}x" -background '#141414' \
    -font "$font" -fill white -pointsize 13 "$file"
  echo "$PWD/$file"
}

mapfile -t names < <(sed -nE 's/^\[([^_].*)\]$/\1/p' "$presets")
pictures=()
if [ "${1-}" = --gpu ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  for name in "${names[@]}"; do
    picture "$name" pngenc "$folder/one.png" slitscan
    picture "$name" pngenc "$folder/two.png" "glupload ! glslitscan" "gldownload !"
    # The largest difference of any sample, in steps of 255.
    most=$(convert "$folder/one.png" "$folder/two.png" -compose difference -composite \
      -format '%[fx:round(255*maxima)]' info:)
    pair="$folder/${#pictures[@]}.png"
    convert "$folder/one.png" "$folder/two.png" +append "$pair"
    pictures+=(-label "$name: slitscan, glslitscan; difference at most $most of 255" "$pair")
  done
  sheet pictures/presets-gpu.jpg 2 "$((width + 10))x122" -quality 85 "${pictures[@]}"
else
  mkdir -p pictures/presets
  for name in "${names[@]}"; do
    file=pictures/presets/$(tr 'A-Z ' 'a-z-' <<<"$name").jpg
    picture "$name" "jpegenc quality=85" "$file" slitscan
    pictures+=(-label "$name" "$file")
  done
  sheet pictures/presets.jpg 4 "$((width / 2 + 10))x134" "${pictures[@]}"
fi
