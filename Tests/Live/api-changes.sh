#!/usr/bin/env bash
# Compares the public API of the Swift products with that of the last tagged version. Before the first tag there is
# nothing to compare with.
#
#   Tests/Live/api-changes.sh [VERSION]
#
# An intended break is a line of Tests/api-changes.txt, as this prints it from `API breakage:` on, until the next
# version is tagged.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=${1:-$(git describe --tags --abbrev=0 --match '[0-9]*' 2>/dev/null || true)}
[ -n "$version" ] || { echo "No version is tagged yet." && exit; }
allowed=()
[ ! -e Tests/api-changes.txt ] || allowed=(--breakage-allowlist-path Tests/api-changes.txt)
swift package --scratch-path .build-api diagnose-api-breaking-changes "$version" "${allowed[@]}" \
  --products SlitScan GStreamer SlitScanCapture SlitScanStage SlitScanTerminal SlitScanMIDI SlitScanOSC \
  SlitScanRemote SlitScanRender
