#!/usr/bin/env bash
# Tests the remote's page in a headless Chromium on a clip.
#
#   Tests/RemoteProgram/try-page.sh PROGRAM            says what is wrong
#   Tests/RemoteProgram/try-page.sh PROGRAM FOLDER     and keeps pictures of the page there
#
# Wants of Debian: chromium python3-websocket
set -euo pipefail
cd "$(dirname "$0")/../.."
exec timeout -k 5 300 /usr/bin/python3 -u Tests/RemoteProgram/try-page.py "$@"
