#!/usr/bin/env bash
# Whether a plugin needs no Swift, and shows nothing but the plugin's two symbols.
#
#   stands-alone.sh PLUGIN
set -euo pipefail
export LC_ALL=C

libraries=$(ldd "$1")
if grep -iE 'swift|foundation|not found' <<<"$libraries"; then
  echo "$1 needs what is not there without Swift." >&2
  exit 1
fi
symbols=$(nm -D --defined-only "$1" | awk '{ print $3 }' | sort | xargs)
if [ "$symbols" != "gst_plugin_slitscan_get_desc gst_plugin_slitscan_register" ]; then
  echo "$1 shows $symbols." >&2
  exit 1
fi
