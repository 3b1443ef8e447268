#!/usr/bin/env bash
# Runs a command with a private X server that has two displays of 640x480, side by side, a desktop (openbox),
# and a pointer and keys that xdotool moves and presses.
#
#   with-displays.sh COMMAND…
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

folder=$(mktemp -d)
daemons=()
finish() {
  # Tests run with signals blocked, and what they start has them blocked, too.
  [ ${#daemons[@]} -eq 0 ] || kill -KILL "${daemons[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT

# No seat of this machine's: no keyboard is taken, and no console.
mkfifo "$folder/number"
/usr/lib/xorg/Xorg -config "$here/xorg.conf" -logfile "$folder/log" -seat slitscan -displayfd 3 \
  -noreset -nolisten tcp 3>"$folder/number" >"$folder/said" 2>&1 &
daemons+=($!)
if ! read -r -t 60 number <"$folder/number"; then
  cat "$folder/said" "$folder/log" >&2
  exit 1
fi
export DISPLAY=:$number
unset WAYLAND_DISPLAY XAUTHORITY
xrandr --output DUMMY0 --mode 640x480 --pos 0x0 --primary --output DUMMY1 --mode 640x480 --pos 640x0
# The first key of xdotool's keyboard gives the server that keyboard's map. A desktop that runs already lets
# go of its keys for a moment then, and misses one that comes next.
xdotool key Shift_L
openbox --sm-disable --startup "touch '$folder/ready'" >"$folder/openbox" 2>&1 &
daemons+=($!)
for _ in $(seq 600); do
  [ ! -e "$folder/ready" ] || break
  sleep 0.1
done
[ -e "$folder/ready" ] || {
  cat "$folder/openbox" >&2
  exit 1
}

"$@" || {
  status=$?
  cat "$folder/said" "$folder/openbox" >&2
  exit "$status"
}
