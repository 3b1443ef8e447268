#!/usr/bin/env bash
# Plays scenarios with gst-validate, which watches every pad by GStreamer's own rules meanwhile, and compares
# what passed slitscan's pads with what is written down beside each scenario.
#
#   Tests/Live/validate/run.sh             all of them
#   Tests/Live/validate/run.sh seek        one
#
# With SLITSCAN_RECORD=1, writes down what passes instead: look at it before it is committed.
# The plugin is the one in SLITSCAN_PLUGIN_PATH; without that, it is built.
set -euo pipefail
folder=$(realpath "$(dirname "$0")")

if ! command -v gst-validate-1.0 >/dev/null; then
  echo "Not played: gst-validate-1.0 is not installed; it is a part of GStreamer's gst-devtools."
  exit 0
fi
plugins=${SLITSCAN_PLUGIN_PATH:-$(dirname "$("$folder/../../../gst/make-plugin.sh")")}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset GST_PLUGIN_PATH_1_0
export GST_PLUGIN_PATH=$plugins GST_REGISTRY=${GST_REGISTRY:-$work/registry.bin}
export GST_VALIDATE_LOGSDIR=$work GST_DEBUG_NO_COLOR=1
# What is only an issue to gst-validate is a failure here.
export GST_VALIDATE=fatal-issues,print-issues

scenarios=("$folder"/*.validatetest)
[ $# -eq 0 ] || scenarios=("${@/#/$folder/}")
failures=0
for scenario in "${scenarios[@]}"; do
  scenario=${scenario%.validatetest}
  name=${scenario##*/}
  status=0
  if [ -n "${SLITSCAN_RECORD:-}" ]; then
    rm -rf "${scenario:?}"
    echo "recording $name"
  else
    # Else what is missing would be written down now, and nothing compared.
    export GST_VALIDATE_CONFIG="validateflow, generate-expectations=false"
  fi
  timeout --kill-after=10 60 gst-validate-1.0 --set-test-file "$scenario.validatetest" \
    >"$work/log" 2>&1 </dev/null || status=$?
  # Having recorded, it says with 18 that it has compared nothing.
  if [ "$status" -eq 0 ] || { [ -n "${SLITSCAN_RECORD:-}" ] && [ "$status" -eq 18 ]; }; then
    echo "ok: $name"
  else
    failures=$((failures + 1))
    tail -n 60 "$work/log"
    echo "FAILED: $name, with status $status"
  fi
done
echo "${#scenarios[@]} scenarios, $failures failed"
[ "$failures" -eq 0 ]
