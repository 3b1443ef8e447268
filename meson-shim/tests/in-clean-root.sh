#!/usr/bin/env bash
# The part of clean-root.sh that runs in the new Debian: everything a user does with the packages in
# /packages, each line of which must succeed. Nothing of slitscan, and no Swift, has ever been here.
#
#   in-clean-root.sh --sums CLIP   only prints what the element makes, as checksums
set -euo pipefail

# Takes the bytes of the clip as the samples of frames, so that no decoder and no converter has a part in the output.
# Rows have no padding in any of the formats: its bytes are not part of the video. New memory is filled with FILL, which
# differs on the two machines, so that a sum that depends on it differs, too.
#
#   sums CLIP FILL
sums() {
  local format settings
  while read -r format settings; do
    # shellcheck disable=SC2086
    MALLOC_PERTURB_=$2 gst-launch-1.0 -q filesrc location="$1" \
      ! rawvideoparse format="$format" width=104 height=66 \
      ! slitscan $settings ! fdsink | md5sum | sed "s/-$/$format $settings/"
  done <<'END'
i420
i420 map=radial gain=2 interpolation=linear edge=mirror depth=20
nv12 map=spiral depth=30
bgra map=luma depth=16 feedback=0.5
ayuv64 map=random seed=4 depth=12 component-spread=0.2
gray16-le mode=sweep angle=45 sweep-duration=1000000000
rgb mode=strip canvas-length=40 slit-width=2
i420-10le interpolation=motion depth=12
END
}
if [ "${1:-}" = --sums ]; then
  sums "$2" 85
  exit
fi

cd /packages
# Any warning of GLib that is critical ends the program.
export DEBIAN_FRONTEND=noninteractive G_DEBUG=fatal-criticals

say() { echo "clean root: $*"; }

# Every file, but the books of apt and dpkg, caches, and what GStreamer keeps at home, which is /tmp.
files() {
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /packages \
    -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/cache -o -path /var/log \) -prune -o -print | sort
}

! gst-inspect-1.0 --exists slitscan || exit 1
files >/tmp/before
apt-get install -y -qq --no-install-recommends ./*.deb >/tmp/install.log 2>&1 || {
  cat /tmp/install.log
  exit 1
}
say "installed" ./*.deb

# The command, with only what it depends on: films in and out, stills, recordings.
if [ -e /usr/bin/slitscan ]; then
  slitscan --help >/dev/null
  slitscan bench --size 64x48 --map radial >/dev/null
  say "slitscan bench"
  # As libraries do that change the environment before the command begins.
  echo '__attribute__ ((constructor)) void change (void) { setenv ("CHANGED", "1", 1); }' |
    cc -shared -fPIC -include stdlib.h -x c -o /tmp/change.so -
  LD_PRELOAD=/tmp/change.so slitscan presets | grep Vortex >/dev/null
  say "slitscan presets with another environment"
  for film in film.mp4 film.webm; do
    slitscan render bigbuckbunny.mp4 -o "/tmp/$film" --preset Vortex
    say "slitscan render bigbuckbunny.mp4 -o $film"
  done
  slitscan photo bigbuckbunny.mp4 -o /tmp/strip.png
  say "slitscan photo bigbuckbunny.mp4 -o strip.png"
  printf '%s\n' '0.5 snapshot /tmp/still.png' '1 record on /tmp/show.mp4' '2 record off' >/tmp/show.txt
  slitscan live bigbuckbunny.mp4 --output sink:fakesink --replay /tmp/show.txt \
    </dev/null >/tmp/show.log 2>&1 &
  show=$!
  for _ in $(seq 1200); do
    ! { grep -q '^recorded ' /tmp/show.log && [ -s /tmp/still.png ]; } || break
    sleep 0.1
  done
  kill -INT "$show" || true
  wait "$show" || {
    cat /tmp/show.log
    exit 1
  }
  # Each is a whole file that can be played.
  for film in film.mp4 film.webm show.mp4; do
    gst-launch-1.0 -q filesrc location="/tmp/$film" ! decodebin ! video/x-raw ! fakesink
  done
  [ -s /tmp/strip.png ] && [ -s /tmp/still.png ]
  say "slitscan live"

  # In a window, on a display that is black without it.
  cat >/tmp/window.sh <<'END'
slitscan live bigbuckbunny.mp4 >/tmp/window.log 2>&1 </dev/null &
show=$!
for _ in $(seq 600); do
  colours=$(gst-launch-1.0 -q ximagesrc num-buffers=1 use-damage=false ! video/x-raw,format=BGRx ! fdsink |
    od -An -v -tx4 -w4 | sort -u | wc -l)
  [ "$colours" -le 1000 ] || break
  sleep 0.1
done
kill -INT "$show"
wait "$show"
[ "$colours" -gt 1000 ]
END
  xvfb-run -a -s '-screen 0 1280x800x24' bash -e /tmp/window.sh || {
    cat /tmp/window.log
    exit 1
  }
  say "slitscan live in a window"
else
  # For the patterns below.
  apt-get install -y -qq --no-install-recommends gstreamer1.0-plugins-base >/dev/null 2>&1
  apt-mark auto gstreamer1.0-plugins-base >/dev/null
fi

gst-inspect-1.0 slitscan | grep 'Filter/Effect/Video' >/dev/null
say "gst-inspect-1.0 slitscan"
# Every format of this GStreamer, which may be newer than its headers where the packages were made.
formats() {
  gst-inspect-1.0 slitscan | sed -n "/template: '$1'/,/^ *$/p" | grep -o '(string)[A-Za-z0-9_]*' | sort
}
[ -z "$(comm -23 <(formats sink) <(formats src))" ]
formats sink | grep I420 >/dev/null
say "the source pad has all formats of the sink pad"
sums bigbuckbunny.mp4 170 | diff sums -
say "the same bytes in $(wc -l <sums) configurations, with $(gst-inspect-1.0 --version | sed -n 's/GStreamer //p')"
gst-launch-1.0 -q videotestsrc num-buffers=50 ! slitscan ! fakesink
say "gst-launch-1.0 videotestsrc num-buffers=50 ! slitscan ! fakesink"
gst-launch-1.0 -q videotestsrc num-buffers=50 ! slitscan @preset=Vortex ! fakesink
say "gst-launch-1.0 videotestsrc num-buffers=50 ! slitscan @preset=Vortex ! fakesink"

if [ -e /usr/include/slitscan-1.0 ]; then
  # Registered by the application: GStreamer itself finds no plugin of that name here.
  cc linked.c -o /tmp/linked $(pkg-config --cflags --libs slitscan-1.0)
  /tmp/linked
  say 'cc linked.c $(pkg-config --cflags --libs slitscan-1.0)'
fi

names=$(for package in ./*.deb; do dpkg-deb --field "$package" Package; done)
# What came along goes too, even if others would like to have it.
apt-get purge -y -qq --autoremove -o APT::AutoRemove::RecommendsImportant=false \
  -o APT::AutoRemove::SuggestsImportant=false $names >/dev/null 2>&1
# Debian keeps some of what came along, as systemd.
files >/tmp/after
if comm -13 /tmp/before /tmp/after | grep -i slitscan; then exit 1; fi
! gst-inspect-1.0 --exists slitscan || exit 1
say "removed, and nothing left"
