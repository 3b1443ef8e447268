#!/usr/bin/env bash
# Tests that a plugin needs no Swift installation, exports only what its plugin.map lists, is hardened, and is
# the same wherever it was built.
#
#   stands-alone.sh PLUGIN FOLDER…
#
# The folders are those of the sources and of the build, which the plugin must not name.
set -euo pipefail
export LC_ALL=C
plugin=$1
shift

fail() {
  echo "$plugin $1" >&2
  exit 1
}

libraries=$(ldd "$plugin")
! grep -iE 'swift|foundation|not found' <<<"$libraries" || fail "needs what is not there without Swift."
symbols=$(nm -D --defined-only "$plugin" | awk '{ print $3 }' | sort | xargs)
name=$(basename "$plugin" .so)
map=$(dirname "$0")/../../gst/${name#libgst}/plugin.map
listed=$(sed -nE 's/^ +([a-z_]+);$/\1/p' "$map" | sort | xargs)
[ "$symbols" = "$listed" ] || fail "shows $symbols."

! readelf --hex-dump=.swift_modhash "$plugin" | grep '^  0x' | cut -c 14-48 | grep '[^0 ]' >/dev/null ||
  fail "has hashes that follow from the build folder; see gst/make-plugin.sh."
"$(dirname "$0")/hardened.sh" "$plugin" "$@"
