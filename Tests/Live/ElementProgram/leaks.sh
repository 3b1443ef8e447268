#!/usr/bin/env bash
# Runs a program that uses elements, and checks that no GStreamer object is left.
#
#   Tests/Live/ElementProgram/leaks.sh PROGRAM [ARGUMENT…]
set -euo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
GST_TRACERS=leaks GST_DEBUG=GST_TRACER:7 GST_DEBUG_NO_COLOR=1 "$@" 2>"$log" || status=$?
grep -v GST_TRACER "$log" >&2 || true
# The tracer says what its own records look like, too.
if grep 'object-alive, type-name=(string)[A-Za-z]' "$log"; then
  echo "Something is left." >&2
  exit 1
fi
exit "$status"
