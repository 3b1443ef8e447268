#!/usr/bin/env bash
# Builds and runs the package's own tests, as Tests/run.sh does, but installs nothing and leaves out
# lint and sanitizers.
#
#   swift.sh SWIFT SCRATCH-FOLDER
#
# SLITSCAN_PLUGIN_PATH is the folder of the plugin.
set -euo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C.UTF-8

swift=$1
scratch=$2
mkdir -p "$scratch"
export SLITSCAN_CAMERA=$scratch/simulated-camera.so GST_REGISTRY=$scratch/registry.bin
unset GST_PLUGIN_PATH
Tests/Support/SimulatedCamera/build.sh "$SLITSCAN_CAMERA"

build=(-c release -Xswiftc -enable-testing -Xswiftc -use-ld=lld --scratch-path "$scratch")
"$swift" build --build-tests --quiet "${build[@]}"
"$swift" test --skip-build "${build[@]}" --filter '^ElementTests\.'
"$swift" test --skip-build "${build[@]}" --skip '^ElementTests\.'
