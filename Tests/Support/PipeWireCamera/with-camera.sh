#!/usr/bin/env bash
# Runs a command with a private PipeWire, whose only camera is PipeWire's video test source.
#
#   with-camera.sh COMMAND…
#
# Nothing of the person's own PipeWire is touched, and no other camera is seen through this one.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

XDG_RUNTIME_DIR=$(mktemp -d)
export XDG_RUNTIME_DIR
unset PIPEWIRE_REMOTE PIPEWIRE_RUNTIME_DIR
daemons=()
finish() {
  [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null || true
  wait
  rm -rf "$XDG_RUNTIME_DIR"
}
trap finish EXIT

pipewire -c "$here/pipewire.conf" >"$XDG_RUNTIME_DIR/log" 2>&1 &
daemons+=($!)
for _ in $(seq 600); do
  ! pw-cli info test-camera 2>/dev/null | grep -q 'test-camera' || break
  sleep 0.1
done
# Links new clients, and those that were there first.
wireplumber -c "$here/wireplumber.conf" >>"$XDG_RUNTIME_DIR/log" 2>&1 &
daemons+=($!)

"$@" || {
  status=$?
  cat "$XDG_RUNTIME_DIR/log" >&2
  exit "$status"
}
