#!/usr/bin/env bash
# Makes a release of the commit that is checked out: the sources, the Debian packages, then the tag.
#
#   meson-shim/make-release.sh [FOLDER]   builds, leaves everything in FOLDER (.build-release), and tags, unless the
#                                         commit has the tag, as where a server builds what was pushed
#   meson-shim/make-release.sh --check    only says whether there can be a release
#
# The tag is the version, as 0.1.0, which Swift packages depend on. Nothing is pushed.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

refuse() {
  echo "No release: $*" >&2
  exit 1
}

version=$(meson-shim/version.sh) || refuse "versions differ."
changes=$(git status --porcelain)
[ -z "$changes" ] || refuse "these changes are not committed:
$changes"
tagged=$(git rev-parse --quiet --verify "refs/tags/$version^{commit}" || true)
[ -z "$tagged" ] || [ "$tagged" = "$(git rev-parse HEAD)" ] ||
  refuse "there is a tag $version already. Set the next version in slitscan-plugin.h and CHANGELOG.md."
# version.sh has seen that the first section is this version's.
heading=$(grep -m 1 '^## ' CHANGELOG.md)
grep -qE "^## $version, [0-9]{4}-[0-9]{2}-[0-9]{2}$" <<<"$heading" ||
  refuse "CHANGELOG.md says \"$heading\"; write the date of the release, as \"## $version, $(date -u +%F)\"."
notes=$(sed '1,/^## /d; /^## /,$d' CHANGELOG.md)
grep -q '^- ' <<<"$notes" || refuse "CHANGELOG.md lists no change of $version."
[ "${1:-}" != --check ] || exit 0

source examples/install-packages.sh
source meson-shim/build-packages.sh
install_packages "${plugin_packages[@]}" "${deb_packages[@]}" lintian >&2
output=$(realpath -m "${1:-.build-release}")
mkdir -p "$output" "$root/.build-plugin" "$root/.build-command"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

meson setup "$work/build" "$root" -Dcommand=disabled >"$work/log" || { cat "$work/log" >&2 && exit 1; }
meson dist -C "$work/build" --no-tests >&2
tarball=$work/build/meson-dist/slitscan-$version.tar.xz
meson-shim/make-deb.sh --dbgsym --sources "$tarball" --swift-scratch-path .build-plugin \
  --command-scratch-path .build-command >&2
lintian --allow-root --fail-on warning .build-deb/packages/*.{changes,dsc} >&2
cp "$work"/build/meson-dist/* "$output"
find .build-deb/packages -maxdepth 1 -type f -exec cp {} "$output" \;

ls "$output"/*
[ -z "$tagged" ] || exit 0
git tag --annotate "$version" --cleanup=verbatim --message "slitscan $version

$notes"
echo "Tagged $version; git push origin $version publishes it."
