#!/usr/bin/env bash
# Tests the remote's page in a headless Chromium on a clip.
#
#   Tests/Live/RemoteProgram/try-page.sh PROGRAM            says what is wrong
#   Tests/Live/RemoteProgram/try-page.sh PROGRAM FOLDER     and keeps pictures of the page there
#
# Wants of Debian: chromium python3-websocket
set -euo pipefail
cd "$(dirname "$0")/../../.."
# Each wait has a limit of its own.
exec timeout -k 5 1200 /usr/bin/python3 -u Tests/Live/RemoteProgram/try-page.py "$@"
