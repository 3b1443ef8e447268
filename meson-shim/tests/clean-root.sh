#!/usr/bin/env bash
# Tests the Debian packages in a new Debian root without Swift: they install, run from the standard paths, make the same
# bytes as on this machine, and leave nothing behind when removed.
#
#   clean-root.sh --possible   whether this machine can make one; says why not
#   clean-root.sh SUITE DEB…   SUITE is bookworm, trixie, testing or another that MIRROR has
#
# MIRROR is where Debian is fetched from, if not where this machine fetches it.
set -euo pipefail

if [ "${1:-}" = --possible ]; then
  if ! command -v mmdebstrap >/dev/null; then
    echo "mmdebstrap is not installed"
    exit 1
  elif [ "$(id -u)" -eq 0 ]; then
    unshare --mount true 2>/dev/null || { echo "root may not mount here" && exit 1; }
  elif ! command -v newuidmap >/dev/null || ! grep -q "^$(id -un):" /etc/subuid; then
    echo "users other than root need newuidmap and a line in /etc/subuid"
    exit 1
  else
    unshare --map-root-user true 2>/dev/null || { echo "users may not have namespaces" && exit 1; }
  fi
  exit 0
fi

here=$(realpath "$(dirname "$0")")
suite=$1
shift
mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -m 1 '/debian/$' || true)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/packages"
cp "$@" "$here/in-clean-root.sh" "$here/../../examples/linked/linked.c" \
  "$here/../../examples/footage/bigbuckbunny.mp4" "$work/packages"

# The bytes that the packages make on this machine.
for package in "$@"; do dpkg-deb --extract "$package" "$work/here"; done
GST_PLUGIN_PATH=$(dirname "$(find "$work/here" -name libgstslitscan.so)") GST_REGISTRY=$work/registry.bin \
  "$here/in-clean-root.sh" --sums "$work/packages/bigbuckbunny.mp4" >"$work/packages/sums"

# A mount namespace of its own, so that nothing stays mounted whatever happens. Nothing is there that the
# packages have to depend on. A mirror may have stopped at some day.
log=$work/log
if ! mmdebstrap --variant=apt --aptopt='Acquire::Check-Valid-Until "false"' \
  --include=gstreamer1.0-tools,gcc,libc6-dev,pkg-config,xvfb,xauth \
  --customize-hook="copy-in '$work/packages' /" \
  --customize-hook='chroot "$1" env -i PATH=/usr/sbin:/usr/bin HOME=/tmp LC_ALL=C.UTF-8 \
    bash /packages/in-clean-root.sh >&2' \
  "$suite" /dev/null "${MIRROR:-${mirror:-http://deb.debian.org/debian}}" >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  exit 1
fi
sed -n "s/^clean root: /$suite: /p" "$log"
