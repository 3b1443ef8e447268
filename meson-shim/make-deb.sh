#!/usr/bin/env bash
# Makes Debian packages that run without a Swift installation: the plugin, the files for applications that
# link it, and the command. Prints their paths.
#
#   meson-shim/make-deb.sh [--swift-scratch-path FOLDER] [--command-scratch-path FOLDER] [--no-command]
#     [--dbgsym] [--sources TARBALL]
#
# The folders are where SwiftPM builds the plugin and the command, if not below .build-deb. --dbgsym also makes
# packages of the debugging symbols. --sources also makes a source package, of a tarball that "meson dist" made.
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")
cd "$root"
source examples/install-packages.sh
source meson-shim/build-packages.sh

command=true
symbols=noautodbgsym
tarball=
# One folder each for SwiftPM, kept: what is built again and again is built quickly.
build=$root/.build-deb
swift_scratch=$build/plugin
command_scratch=$build/command
while [ $# -gt 0 ]; do
  case $1 in
    --swift-scratch-path)
      swift_scratch=$(realpath "$2")
      shift 2
      ;;
    --command-scratch-path)
      command_scratch=$(realpath "$2")
      shift 2
      ;;
    --no-command) command=false && shift ;;
    --dbgsym) symbols= && shift ;;
    --sources) tarball=$(realpath "$2") && shift 2 ;;
    *) echo "make-deb.sh: what is $1?" >&2 && exit 2 ;;
  esac
done

packages=("${plugin_packages[@]}" "${deb_packages[@]}")
! "$command" || packages+=("${command_packages[@]}")
install_packages "${packages[@]}" >&2

# dpkg wants its files in a folder called debian, and leaves the packages beside that folder's.
rm -rf "$build/packages"
mkdir -p "$build/packages/slitscan"
cp -r meson-shim/debian "$build/packages/slitscan/"
cd "$build/packages/slitscan"

# A version that is not released yet is older than its release, and any revision of Debian's own, which begins with
# 1, is newer than ours. Versions follow each other by the time of their commits. The changelog, and not the version,
# says which commit it is: the name of a package must fit on a CD (80 characters).
version=$("$root/meson-shim/version.sh")
read -r _ _ state < <(grep -m 1 '^## ' "$root/CHANGELOG.md")
commit=$(git -C "$root" log -1 --format=%H 2>/dev/null || true)
date=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
[ "$state" != unreleased ] || version+="~git$(date -u -d "@$date" +%Y%m%d%H%M%S)"
email=${DEBEMAIL:-$(git -C "$root" log -1 --format=%ae 2>/dev/null || true)}
: "${email:?Say who makes the packages: DEBEMAIL=you@where.you.are}"
export HOMEPAGE=${HOMEPAGE:-}
sed -i "s/@EMAIL@/$email/; s|@HOMEPAGE@|$HOMEPAGE|; /^Homepage: $/d" debian/control
cat >debian/changelog <<END
slitscan ($version-0slitscan1) unstable; urgency=medium

  * What has changed is in upstream's changelog.${commit:+
  * Built from commit $commit.}

 -- The slitscan authors <$email>  $(date -u -R -d "@$date")
END

if [ -n "$tarball" ]; then
  mkdir ../source
  tar -xf "$tarball" -C ../source --strip-components=1
  cp -r debian ../source
  cp "$tarball" "../slitscan_$version.orig.tar.${tarball##*.}"
  (cd .. && SOURCE_DATE_EPOCH=$date dpkg-source --build source >/dev/null)
fi

profiles=nothing
"$command" || profiles=pkg.slitscan.nocommand
log=$build/build.log
echo "Building for 5 to 30 minutes at first, by the processor. All that is said is in $log." >&2
: >"$log"
tail --follow --pid=$$ --sleep-interval=0.5 "$log" 2>/dev/null | sed -un >&2 '
  /override_dh_auto_configure$/s/.*/Looking for what slitscan needs…/p
  /Generating plugin.gstslitscan /s/.*/Building the plugin…/p
  /Generating plugin.gstslitscangl /s/.*/Building the plugin for the GPU…/p
  /Generating command.slitscan /s/.*/Building the command…/p
  /override_dh_auto_test$/s/.*/Testing…/p
  /   dh_prep$/s/.*/Packing…/p' &
if ! SOURCE=../../.. SWIFT_SCRATCH_PATH=$swift_scratch COMMAND_SCRATCH_PATH=$command_scratch \
  SOURCE_DATE_EPOCH=$date \
  DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-} $symbols" \
  dpkg-buildpackage --build=binary --no-sign --no-check-builddeps \
  --build-profiles="$profiles" >"$log" 2>&1; then
  tail -n 50 "$log" >&2
  echo "The packages could not be built; all that was said is in $log." >&2
  exit 1
fi
realpath "$build"/packages/*.deb
[ -z "$tarball" ] || realpath "$build"/packages/*.dsc
