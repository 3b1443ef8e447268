#!/usr/bin/env bash
# Checks what the plugin asks the system for while it scans, loads presets and reads valid and invalid images:
# no sockets, no other programs, and files only to read.
#
#   Tests/Live/system-calls.sh PLUGIN
#
# What gst-launch-1.0 asks for without the plugin does not count.
set -euo pipefail
cd "$(dirname "$0")/../.."
source examples/install-packages.sh
install_packages strace imagemagick gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! strace -o "$folder/log" true 2>"$folder/why"; then
  echo "Not looked at: strace is not permitted here ($(tail -1 "$folder/why"))."
  exit 0
fi
GST_PLUGIN_PATH=$(dirname "$1") GST_PRESET_PATH=$PWD/gst/presets GST_REGISTRY=$folder/registry.bin
export GST_PLUGIN_PATH GST_PRESET_PATH GST_REGISTRY
gst-inspect-1.0 slitscan >/dev/null

convert -size 64x48 plasma: "$folder/map.png"
convert "$folder/map.png" "$folder/map.jpg"
convert "$folder/map.png" -colorspace gray "$folder/map.pgm"
head -c 300 "$folder/map.png" >"$folder/short.png"
printf '#!/bin/sh\ntouch %s/executed\n' "$folder" >"$folder/program.png"
chmod +x "$folder/program.png"

# What it asks for, without the numbers of processes and descriptors.
asks() {
  local status=0
  strace -f -qq -o "$folder/log" \
    -e trace=%network,process,open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,chmod,fchmod,truncate,link,symlink \
    gst-launch-1.0 -q videotestsrc num-buffers=20 ! video/x-raw,width=64,height=48,framerate=25/1 ! "$@" ! \
    fakesink sync=false >"$folder/said" 2>&1 || status=$?
  [ "$status" -eq 0 ] || { cat "$folder/said" >&2 && return 1; }
  # Threads are no programs, and pairs of sockets are how GStreamer wakes its threads; its presets make a
  # folder for one's own, and its Orc makes code in memory that has a name for a moment. What another thread
  # comes in between of stands there in two parts, the first of which has all that is asked for.
  sed -E 's/^[0-9]+ +//' "$folder/log" |
    grep -E '^(socket|connect|bind|listen|accept|send|recv|execve|fork|vfork|creat|unlink|rename|mkdir|chmod|fchmod|truncate|link|symlink)|O_WRONLY|O_RDWR' |
    grep -vE 'CLONE_THREAD|resumed>|^socketpair|^execve\("[^"]*/gst-launch-1.0"|^mkdir\("[^"]*/gstreamer-1.0/presets"|orcexec' |
    sed -E 's/ <unfinished \.\.\.>$|\) += .*//' | sort -u || true
}

failures=0
look_at() {
  asks "$@" >"$folder/asked"
  if comm -13 "$folder/without" "$folder/asked" | grep .; then
    echo "The plugin asks for these, with: $*" >&2
    failures=$((failures + 1))
  fi
}

asks identity >"$folder/without"
look_at slitscan
look_at slitscan mode=sweep map=spiral
look_at slitscan mode=strip pointer=true
look_at slitscan @preset=Vortex
for file in map.png map.jpg map.pgm short.png program.png missing.png; do
  look_at slitscan map=image map-location="$folder/$file"
done
look_at slitscan map=image map-location=http://127.0.0.1:9/map.png
look_at slitscan map=image map-location="|touch $folder/executed"
# That something would have been seen.
asks tee name=t ! queue ! filesink location="$folder/written" t. ! queue >"$folder/asked"
if ! grep -q written "$folder/asked"; then
  echo "A file that was written was not seen." >&2
  failures=$((failures + 1))
fi
if [ -e "$folder/executed" ]; then
  echo "Something was executed." >&2
  failures=$((failures + 1))
fi
[ "$failures" -eq 0 ]
