#!/usr/bin/env bash
# Tests the C and Python examples and the lines of shell/README.md: runs each for a while without a camera or
# a screen, and checks what it prints and leaves. Nothing is timed: what has to be there is waited for.
#
# Wants GST_PLUGIN_PATH, and of Debian: build-essential libgtk-3-dev libgstreamer-plugins-base1.0-dev
# gstreamer1.0-gtk3 gstreamer1.0-x gstreamer1.0-plugins-base gstreamer1.0-plugins-good
# gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly gstreamer1.0-libav gstreamer1.0-tools python3-gi
# gir1.2-gstreamer-1.0 gir1.2-gst-plugins-base-1.0 gir1.2-gst-plugins-bad-1.0 gstreamer1.0-nice python3-numpy
# xvfb ffmpeg
set -euo pipefail
export LC_ALL=C.UTF-8
# One display for all.
[ "${1:-}" = --with-display ] || exec "$(dirname "$0")/../Tests/Support/with-display.sh" "$0" --with-display
cd "$(dirname "$0")"
: "${GST_PLUGIN_PATH:?has to say where libgstslitscan.so is}"

results=$(mktemp -d)
export GST_REGISTRY=$results/registry.bin
started=()
finish() {
  [ ${#started[@]} -eq 0 ] || kill "${started[@]}" 2>/dev/null || true
  wait
  rm -rf "$results"
}
trap finish EXIT

# Runs a command, shows what it prints, and wants a line of it to match.
says() {
  local pattern=$1 status=0
  shift
  echo "-- $*"
  timeout 300 "$@" >"$results/said" 2>&1 || status=$?
  has_said "$pattern" "$status"
}

# Whether a command that has ended with a status has said what it should.
has_said() {
  local pattern=$1 status=$2
  tail -n 5 "$results/said"
  [ "$status" -eq "${expected:-0}" ] || {
    echo "Ended with status $status, not ${expected:-0}."
    return 1
  }
  grep -qE "$pattern" "$results/said" || {
    echo "No line matches '$pattern'."
    return 1
  }
}

# Waits until a condition, which is a command in one word, holds of a process that runs.
await() {
  local pid=$1 condition=$2 end=$((SECONDS + 120))
  until eval "$condition"; do
    if ! kill -0 "$pid" 2>/dev/null || [ "$SECONDS" -ge "$end" ]; then
      echo "Not so: $condition"
      return 1
    fi
    sleep 0.1
  done
}

# Runs a command as `says` does, and presses Ctrl-C once a condition holds. In the foreground alone, timeout
# passes that on once.
interrupted() {
  local pattern=$1 condition=$2 status=0 pid
  shift 2
  echo "-- $*"
  # What the last one has said fulfils nothing.
  : >"$results/said"
  timeout --foreground --preserve-status 300 "$@" >"$results/said" 2>&1 &
  pid=$!
  started=("$pid")
  await "$pid" "$condition" || {
    cat "$results/said"
    return 1
  }
  # It may have come to its end by itself.
  kill -INT "$pid" 2>/dev/null || true
  wait "$pid" || status=$?
  started=()
  has_said "$pattern" "$status"
}

# What ffprobe says of a file's pictures.
probe() {
  ffprobe -v error -select_streams v -show_entries "stream=$2" -of csv=p=0 "$1"
}

echo "== C"
cp c/Makefile c/*.c "$results"
expected=2 says '^player needs gstreamer-1.0 .*: apt install libgstreamer-plugins-base1.0-dev$' \
  env PKG_CONFIG_LIBDIR=/nonexistent make -s -C "$results"
! grep 'fatal error' "$results/said" || exit 1
make -s -C "$results" CFLAGS="-O2 -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -Werror"
player=$results/player
sliders=$results/sliders

says '^The end\.$' "$player" --sink=fakesink footage/bigbuckbunny.mp4 map=radial depth=60
# Half a second after the first frame, which may be late itself.
says '^Complete at ' "$player" --pattern \
  --sink='identity eos-after=60 ! videoconvert ! autovideosink' mode=sweep sweep-duration=500000000
! grep '^Complete at 0:00:00\.[0-4]' "$results/said" || exit 1
# The file begins with its first frame.
file="filesink buffer-mode=unbuffered location=$results/player.mp4"
interrupted '^The end\.$' "[ -s $results/player.mp4 ]" "$player" --pattern \
  --sink="videoconvert ! x264enc tune=zerolatency ! mp4mux ! $file"
[ "$(probe "$results/player.mp4" width,height)" = 320,240 ]
says '^The end\.$' "$player" --pattern --sink="identity eos-after=5 ! filesink location=$results/é.raw"
[ -s "$results/é.raw" ]
expected=2 says '^slitscan has no property nonsense' "$player" --pattern nonsense=1
expected=2 says '^depth cannot be 0' "$player" --pattern depth=0
expected=1 says '^source: ' "$player" --sink=fakesink /nonexistent

says '^Properties: [1-9][0-9]$' "$sliders" --pattern --preset 'Video Wall' \
  --snapshot "$results/sliders.png" --seconds 3
grep -qx 'Preset: Video Wall' "$results/said"
[ "$(probe "$results/sliders.png" width,height)" = 320,240 ]
# As where gtksink is not installed.
mkdir "$results/plugins"
ln -s "$(pkg-config --variable=pluginsdir gstreamer-1.0)"/*.so "$results/plugins"
rm "$results/plugins/libgstgtk.so"
says '^Snapshot: ' env GST_PLUGIN_SYSTEM_PATH="$results/plugins" GST_REGISTRY="$results/without.bin" \
  "$sliders" \
  --snapshot "$results/file.png" --seconds 3 footage/bigbuckbunny.mp4
[ "$(probe "$results/file.png" width,height)" = "$(probe footage/bigbuckbunny.mp4 width,height)" ]
expected=2 says '^There is no preset nonsense' "$sliders" --pattern --preset nonsense

echo "== Python"
python=/usr/bin/python3
interrupted '^frames: [1-9]' "grep -qx 'map=angular depth=60' $results/said" \
  "$python" python/live.py 300 fakesink
# The last frame, or the end of the stream.
says '^center-x=(0\.983 gain=1\.895|1\.000 gain=2\.000)$' "$python" python/automation.py 2 fakesink
says '^shape: \(240, 321, 3\) mean: [0-9.]+$' "$python" python/snapshot.py
if "$python" -c 'import PIL' 2>/dev/null; then
  says '^saved: ' "$python" python/snapshot.py "$results/python.png"
  [ "$(probe "$results/python.png" width,height)" = 321,240 ]
fi

# The filter of playbin gives the frames of a pipeline of one's own.
into="videoconvert ! videoscale ! video/x-raw,width=320,height=180 ! y4menc ! filesink location=$results"
says '^The end\.$' "$python" python/play.py footage/bigbuckbunny.mp4 "$into/play.y4m"
eval "gst-launch-1.0 -q filesrc location=footage/bigbuckbunny.mp4 ! decodebin ! slitscan map=radial depth=60 \
  interpolation=linear ! $into/line.y4m"
cmp "$results/play.y4m" "$results/line.y4m"
expected=1 says '^source: ' "$python" python/play.py /nonexistent fakesink
# The video that arrives is scanned: the bars of the pattern are bent, so rows near and far from the centre differ.
says '^frames: ' "$python" python/webrtc.py 90 "y4menc ! filesink location=$results/webrtc.y4m"
[ "$(probe "$results/webrtc.y4m" width,height)" = 320,240 ]
rows='split[a][b]; [a]crop=320:2:0:4[a]; [b]crop=320:2:0:80[b]; [a][b]psnr'
ffmpeg -nostats -i "$results/webrtc.y4m" -vf "$rows" -f null - 2>&1 | tee "$results/said" | grep PSNR
grep -qE ' y:(1[0-9]|[0-9])\.' "$results/said"

echo "== shell"
# The line of shell/README.md that has the given words in it, without a camera or a window. What it
# writes and where it listens is this script's own.
line() {
  local found
  found=$(grep -E '^    gst-launch-1\.0 ' shell/README.md | grep -F -- "$1" | head -n 1)
  [ -n "$found" ] || {
    echo "shell/README.md has no line with $1." >&2
    return 1
  }
  # shellcheck disable=SC2001
  sed -E -e 's/v4l2src/videotestsrc is-live=true pattern=ball/' \
    -e 's/autovideosink/identity eos-after=20 ! fakesink/' \
    -e "s|location=scan|location=$results/scan|; s|socket-path=slitscan|socket-path=$results/slitscan|" \
    -e "s/:7001/:$srt_port/; s/port=5004/port=$rtp_port/" <<<"${found#    }"
}
srt_port=$((20000 + RANDOM % 10000))
rtp_port=$((30000 + RANDOM % 2000))

# Runs a line for ten frames, and ends it as Ctrl-C does.
record() {
  local command words=() condition="[ \$(grep -c 'last-message = chain' $results/said) -ge 10 ]"
  command=$(line "$1" | sed 's/gst-launch-1.0/& -v/; s/! h264parse/! identity silent=false &/')
  eval "words=($command)"
  interrupted '^Freeing pipeline' "$condition" "${words[@]}"
}

# Runs a line that sends, and, once a condition holds, one that has to receive twenty frames of it.
send() {
  local sending receiving condition=$3 pid status=0
  sending=$(line "$1")
  receiving=$(line "$2")
  echo "-- $sending"
  eval "exec timeout 300 $sending" >"$results/sent" 2>&1 &
  pid=$!
  started=("$pid")
  if await "$pid" "$condition"; then
    echo "-- $receiving"
    eval "timeout 120 $receiving" >"$results/said" 2>&1 || status=$?
  else
    status=1
  fi
  kill "$pid" 2>/dev/null || true
  wait "$pid" || true
  started=()
  [ "$status" -eq 0 ] && grep -q 'Got EOS' "$results/said" || {
    cat "$results/sent" "$results/said"
    return 1
  }
}

# Whether a receiver listens on the port, and at the socket, which is marked then.
listens="grep -qsE '^ *[0-9]+: [0-9A-F]+:$(printf %04X "$srt_port") ' /proc/net/udp /proc/net/udp6"
shares="grep -q ' 00010000 .* $results/slitscan.socket$' /proc/net/unix"

record location=scan.mp4
[ "$(probe "$results/scan.mp4" codec_name)" = h264 ]
record location=scan%03d.mp4
[ "$(probe "$results/scan000.mp4" codec_name)" = h264 ]
# Here, the window's branch ends after twenty frames.
record location=scan.mkv
[ "$(probe "$results/scan.mkv" codec_name)" = h264 ]
send 'videoconvert ! x264enc tune=zerolatency key-int-max=30 ! h264parse config-interval=-1 ! mpegtsmux' srtsrc \
  "$listens"
send 'slitscan ! videoconvert ! x264enc tune=zerolatency key-int-max=30 ! h264parse config' srtsrc \
  "$listens"
# It sends without a connection, so there is nothing to wait for.
send udpsink udpsrc true
send shmsink shmsrc "$shares"
