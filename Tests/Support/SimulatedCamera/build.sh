#!/usr/bin/env bash
# This Source Code Form is subject to the terms of the Mozilla Public
# License, v. 2.0. If a copy of the MPL was not distributed with this
# file, You can obtain one at https://mozilla.org/MPL/2.0/.

# Builds the simulated camera: build.sh OUTPUT.so
# Interposition.c says how to use it.

set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "Usage: ${0##*/} OUTPUT.so" >&2
  exit 2
fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Fortified headers define open() themselves, which this library does, too.
# Hidden visibility keeps its own names out of the way of the host's.
"${CC:-clang}" -std=c11 -O2 -Wall -Wextra -Werror -fPIC -shared -pthread \
  -U_FORTIFY_SOURCE -fvisibility=hidden \
  -o "$1" "$here"/*.c -ldl
