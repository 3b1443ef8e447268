#!/usr/bin/env bash
# Does everything at once to an element, and sees whether anything of GStreamer is left.
#
#   Tests/StressProgram/leaks.sh PROGRAM [SECONDS [SEED]]
set -euo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
GST_TRACERS=leaks GST_DEBUG=GST_TRACER:7 GST_DEBUG_NO_COLOR=1 "$@" 2>"$log"
# The tracer says what its own records look like, too.
if grep 'object-alive, type-name=(string)[A-Za-z]' "$log"; then
  echo "Something is left." >&2
  exit 1
fi
