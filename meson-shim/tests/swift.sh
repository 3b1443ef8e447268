#!/usr/bin/env bash
# Builds and runs the tests in Tests/Check, as Tests/run.sh does, but optimized, and installs nothing.
#
#   swift.sh SWIFT SCRATCH-FOLDER
#
# SLITSCAN_PLUGIN_PATH is the folder of the plugin.
set -euo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C.UTF-8

swift=$1
scratch=$2
unset GST_PLUGIN_PATH GST_REGISTRY

build=(-c release -Xswiftc -enable-testing -Xswiftc -use-ld=lld --scratch-path "$scratch")
"$swift" build --build-tests --quiet "${build[@]}"
folders=(Tests/Check/*)
modules=$(printf '|%s' "${folders[@]##*/}")
Tests/Support/own-machine.sh "$(realpath "$scratch/release/slitscanPackageTests.xctest")" \
  --testing-library swift-testing --filter "^(${modules:1})\\."
