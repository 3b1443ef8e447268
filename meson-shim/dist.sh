#!/usr/bin/env bash
# Adds the Swift packages that slitscan depends on to a source release, so that it builds offline. "meson
# dist" runs it.
#
#   dist.sh SWIFT
set -euo pipefail
swift=$1
release=$MESON_DIST_ROOT
if [ ! -e "$release/Package.swift" ]; then
  echo "Only part of slitscan would be in this release. Set up the build folder from the top of the" \
    "repository: meson setup build" >&2
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The versions that were built here, where there was a build.
[ ! -e "$MESON_SOURCE_ROOT/Package.resolved" ] ||
  cp "$MESON_SOURCE_ROOT/Package.resolved" "$release"
"$swift" package resolve --quiet --package-path "$release" --scratch-path "$work" >&2
packages=$release/meson-shim/packages
mkdir "$packages"
cp -r "$work"/checkouts/* "$packages"
rm -rf "$packages"/*/.git
# Says which versions they are.
mv "$release/Package.resolved" "$packages"

from='let isSourceRelease = false'
grep -qxF -- "$from" "$release/Package.swift" || { echo "Package.swift has no line \"$from\"." >&2 && exit 1; }
sed -i "s/^$from\$/let isSourceRelease = true/" "$release/Package.swift"
