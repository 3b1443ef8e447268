#!/usr/bin/env bash
# Tests the Swift examples: builds them, runs each on the bundled clip or without a camera, and checks what it
# leaves.
set -euo pipefail
cd "$(dirname "$0")"

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# Sooner built than for release, which does the same. In one folder, where the second example finds the modules
# of the first.
options=(--quiet --scratch-path ../.build-examples -Xswiftc -wmo -Xswiftc -no-emit-module-separately-wmo
  -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -use-ld=lld)

# Runs an example in a window on a virtual display.
run() {
  local folder=$1 program=$2
  shift 2
  swift build --package-path "$folder" "${options[@]}"
  timeout 300 ../Tests/Support/with-display.sh "../.build-examples/debug/$program" "$@"
}

# Frames of a file's pictures that can be decoded.
frames() {
  ffprobe -v error -select_streams v -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$1"
}

run bridge Bridge footage/bigbuckbunny.mp4 "$results/bridge.mkv"
[ "$(frames "$results/bridge.mkv")" = "$(frames footage/bigbuckbunny.mp4)" ]
status=0
said=$(../.build-examples/debug/Bridge "$results/missing.mp4" "$results/none.mkv" 2>&1 >/dev/null) || status=$?
[ "$status" -eq 1 ]
[[ $said == *missing.mp4* ]]

run swift-embed Embed "$results"
[ "$(frames "$results/embed.mp4")" -gt 30 ]
[ "$(frames "$results/embed.png")" = 1 ]
swift test --package-path swift-embed "${options[@]}"
