#!/bin/sh
# Prints the version of slitscan, and fails unless CHANGELOG.md begins with its section.
#
# The header is the only place that sets it: meson, the plugin, the command, slitscan-1.0.pc and the Debian
# packages take it from there.
set -eu
cd "$(dirname "$0")/.."
header=gst/slitscan/include/slitscan-plugin.h
version=$(sed -n 's/^#define SLITSCAN_VERSION "\([0-9.]*\)"$/\1/p' "$header")
listed=$(sed -n '/^## /{s/^## \([^, ]*\).*/\1/p;q;}' CHANGELOG.md)
if [ -z "$version" ]; then
  echo "$header does not define SLITSCAN_VERSION." >&2
  exit 1
elif [ "$listed" != "$version" ]; then
  echo "$header says $version, but the first section of CHANGELOG.md is \"${listed:-none}\"." \
    "Make them the same." >&2
  exit 1
fi
echo "$version"
