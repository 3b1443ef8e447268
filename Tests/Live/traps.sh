#!/usr/bin/env bash
# Checks that Sources/Traps.md names every file of the plugin's Swift that could end the process: traps are
# found in the machine code that people install, before the names are stripped from it.
#
#   Tests/Live/traps.sh           compares code and list, prints what differs, and exits with 1 if anything does
#   Tests/Live/traps.sh --print   prints the functions that could trap, by file
set -euo pipefail
cd "$(dirname "$0")/../.."
source examples/install-packages.sh
install_packages binutils python3

modules=(SlitScan SlitScanElement StreamingThread)
plugin=$(gst/make-plugin.sh)

# The compiler's own tools read what it writes about inlined functions.
tools=$(swiftc -print-target-info |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["paths"]["runtimeResourcePath"])')
tools=$(realpath "$tools/../../bin")

# The objects that the plugin was linked from, in one file, with all that the linker would leave out or strip.
linked=$(mktemp)
trap 'rm -f "$linked"' EXIT
objects=()
for module in "${modules[@]}"; do
  # Not by *.o: what is left of sources that are gone is still there. Some are written while building.
  while IFS= read -r source; do
    objects+=("$(dirname "$plugin")/$module.build/$(basename "$source").o")
  done < <(find Sources/*/"$module" "${plugin%/*/*/*}"/plugins/outputs/*/"$module" -name '*.swift' \
    -not -path '*.docc/*' 2>/dev/null | LC_ALL=C sort)
done
ld -shared -o "$linked" "${objects[@]}"

python3 Tests/Live/traps.py "$linked" Sources/Traps.md --tools "$tools" --modules "${modules[@]}" "$@"
