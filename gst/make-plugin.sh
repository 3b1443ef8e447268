#!/usr/bin/env bash
# Builds the plugin to ship: one file, with Swift's runtime inside and nothing but the plugin's two
# symbols outside. Prints its path.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=.build-plugin
SLITSCAN_PLUGIN_ONLY=1 swift build --quiet -c release --product gstslitscan --scratch-path "$scratch" \
  -Xswiftc -static-stdlib -Xswiftc -use-ld=lld \
  -Xlinker --version-script="$PWD/gst/slitscan/plugin.map" \
  -Xlinker --gc-sections -Xlinker --strip-all >&2
realpath "$scratch/release/libgstslitscan.so"
