#!/usr/bin/env bash
# Tests that install.sh installs where commands and plugins are found, moves and removes what it installed, and leaves
# the presets of a user alone. Works in a home of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work/home GST_REGISTRY=$work/registry.bin
unset XDG_DATA_HOME GST_PLUGIN_PATH GST_PLUGIN_PATH_1_0
install() { meson-shim/install.sh --build "$work/build" "$@"; }
presets=$HOME/.local/share/gstreamer-1.0/presets/GstSlitScan.prs
mkdir -p "$(dirname "$presets")"
echo mine >"$presets"

PATH=$HOME/.local/bin:$PATH
install >"$work/log"
! grep '^  export' "$work/log" || exit 1
for element in slitscan glslitscan; do
  gst-inspect-1.0 "$element" | grep "Filename *$HOME/.local/" >/dev/null
done
[ "$(command -v slitscan)" = "$HOME/.local/bin/slitscan" ]
slitscan presets | grep Vortex >/dev/null

# Elsewhere, with the lines that it prints. Nothing stays where it was.
install --prefix "$work/some where" >"$work/log"
! gst-inspect-1.0 --exists slitscan || exit 1
(
  eval "$(grep '^  export' "$work/log")"
  gst-inspect-1.0 slitscan | grep "Filename *$work/some where/" >/dev/null
  [ "$(command -v slitscan)" = "$work/some where/bin/slitscan" ]
)

install --undo
[ ! -e "$work/some where" ]
[ "$(find "$HOME/.local" -type f)" = "$presets" ]
[ "$(cat "$presets")" = mine ]
! install --undo 2>"$work/log" || exit 1
grep 'not installed' "$work/log" >/dev/null
