#!/usr/bin/env bash
# Runs a command with an X server of its own, on a virtual display; DISPLAY_SERVER is the number of its process.
#
#   [SCREEN=WxH] Tests/Support/with-display.sh COMMAND…
#
# xvfb-run waits for ever where the server's signal comes before it waits for that. This server says its
# number once it is there, and does not reset itself when its last client has gone: while it did, it would
# refuse the next one.
set -euo pipefail
exec {answer}< <(exec Xvfb -displayfd 1 -screen 0 "${SCREEN:-1280x1024}x24" -noreset -nolisten tcp 2>/dev/null)
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
read -r -t 300 -u "$answer" number || {
  echo "with-display.sh: Xvfb does not start." >&2
  exit 1
}
exec {answer}<&-
unset WAYLAND_DISPLAY XAUTHORITY
DISPLAY=:$number DISPLAY_SERVER=$server "$@"
