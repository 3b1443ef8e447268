#!/usr/bin/env bash
# Runs the tests. Installs what is missing, builds, and ends with a line `N passed, N failed`.
#
#   Tests/run.sh              check: the tests in Tests/Check, with a sample of the random cases; lint and licences
#   Tests/run.sh FILTER       the tests of Tests/Check and Tests/Live whose name matches a regular expression
#   Tests/run.sh --ci         check, the same tests under sanitizers, the plugin and the packages
#   Tests/run.sh --thorough   these, all random cases and everything in Tests/Live
#
# A part that passes prints one line; a part that fails prints what it wrote. Before the last line stand the
# times of all parts, the longest first, and the failures once more.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
source examples/install-packages.sh

filter=
case ${1:-} in
  "" | --ci | --thorough) ;;
  -*) echo "run.sh: unknown option $1; there are --ci, --thorough, or a filter." >&2 && exit 2 ;;
  *) filter=$1 ;;
esac
command -v swift >/dev/null || {
  echo "Swift 6.3 is missing. Get it from https://www.swift.org/install/linux." >&2
  exit 1
}

results=$(mktemp -d)
# Ends a process and all that it has started.
end_tree() {
  local children child
  children=$(pgrep -P "$1") || true
  kill "$1" 2>/dev/null || true
  for child in $children; do end_tree "$child"; done
}
# What runs in the background ends with this script, which Control-C alone does not do.
trap 'for job in $(jobs -p); do end_tree "$job"; done; rm -rf "$results"' EXIT

# MARK: Parts

# A part: a command, which succeeds or fails.
part() {
  local name=$1 start=$SECONDS status=0
  shift
  "$@" >"$results/$name.log" 2>&1 </dev/null || status=$?
  Tests/Support/results.py add "$results" "$name" $((SECONDS - start)) "$status"
}

# Runs a program that is tested on a machine of its own, and ends it after some seconds.
limit=2400
own() { Tests/Support/own-machine.sh Tests/Support/timeout-with-stacks.sh "$limit" "$@"; }

# A part that is many tests: those of `program` that the options select. `swift test` now and then loses lines.
tests() {
  local name=$1 limit=1200
  shift
  part "$name" own "$program" --testing-library swift-testing --event-stream-version 0 \
    --event-stream-output-path "$results/$name.events" "$@"
}

# Runs something beside other things, as many at a time as there are processors.
beside() {
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
  "$@" &
}

# The tests of some modules, which are called as their folders are. `how` is for the names of the parts.
modules() {
  local how=$1 module
  shift
  for module in "$@"; do beside tests "$module$how" --filter "^$module\\."; done
  wait
}

# The last lines of all.
finish() {
  Tests/Support/results.py sum "$results"
  exit
}

# Leaves the processor to others.
yield() { renice -n 19 "$BASHPID" >/dev/null; }

# MARK: Packages of Debian, and the build

packages=(libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev libglib2.0-dev pkg-config binutils iproute2
  linux-libc-dev librtmidi-dev libjack-jackd2-dev libpng-dev libcairo2-dev libsdl2-dev libsoup-3.0-dev
  ableton-link-dev libaubio-dev python3 procps gdb gstreamer1.0-tools gstreamer1.0-plugins-base
  gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly gstreamer1.0-libav
  gstreamer1.0-x gstreamer1.0-gl gstreamer1.0-pipewire ffmpeg imagemagick indent)
live_packages=(pipewire wireplumber jackd2 liblo-tools tmux xvfb xauth xdotool openbox x11-utils
  x11-xserver-utils xserver-xorg-core xserver-xorg-video-dummy)
shipping_packages=(build-essential meson ninja-build debhelper lintian man-db mmdebstrap)
thorough_packages=(libgtk-3-dev gstreamer1.0-gtk3 python3-gi gir1.2-gstreamer-1.0 gir1.2-gst-plugins-base-1.0
  gir1.2-gst-plugins-bad-1.0 gstreamer1.0-nice python3-numpy chromium python3-websocket strace reprepro gnupg
  flatpak-builder gcc-aarch64-linux-gnu qemu-user libc6-dev-arm64-cross gnuplot-nox frei0r-plugins)
[ -z "$filter" ] || packages+=("${live_packages[@]}")
[[ ${1:-} != --* ]] || packages+=("${shipping_packages[@]}")
[ "${1:-}" != --thorough ] || packages+=("${live_packages[@]}" "${thorough_packages[@]}")

# C, which has the inner loops, is optimized; Swift is not, which compiles sooner. Whole modules at once, type-checked
# once, with line numbers only, compile in two thirds of the time.
debug=(-Xcc -O2 -Xswiftc -wmo -Xswiftc -no-emit-module-separately-wmo
  -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -gline-tables-only -Xswiftc -use-ld=lld)
build=("${debug[@]}" --scratch-path .build-tests)
build_tests() { swift build --build-tests --quiet "$@"; }
folder=$PWD/.build-tests/debug
program=$folder/slitscanPackageTests.xctest

# SwiftPM builds again what plugins write when any variable differs: these are the same in every run. Warnings are
# errors, and nothing that is installed or left over is tested instead.
export SLITSCAN_STRICT=1 GST_REGISTRY=$PWD/.build-tests/registry.bin
export SLITSCAN_CAMERA=$PWD/.build-tests/simulated-camera.so SLITSCAN_SMALL_CLIP=$PWD/.build-tests/small-clip.mp4
unset GST_PLUGIN_PATH GST_PLUGIN_PATH_1_0 GST_PRESET_PATH GST_REGISTRY_1_0
prepare() {
  rm -f "$GST_REGISTRY"
  gst-inspect-1.0 >/dev/null && Tests/Support/SimulatedCamera/build.sh "$SLITSCAN_CAMERA" &&
    ffmpeg -v error -y -i examples/footage/bigbuckbunny.mp4 -vf scale=320:180 -c:a copy "$SLITSCAN_SMALL_CLIP"
}

part "packages" install_packages "${packages[@]}" || finish
part "build" build_tests "${build[@]}" || finish
part "registry, simulated camera, small clip" prepare || finish

# MARK: Check

check() (
  export SLITSCAN_TEST_SAMPLE=16 SLITSCAN_PLUGIN_PATH=$folder
  # OpenGL in software compiles its shaders for two thirds of the time: less optimized, sooner.
  export GALLIVM_PERF=nopt LP_NATIVE_VECTOR_WIDTH=128
  beside part "lint" Tests/lint.sh
  beside part "licences" Tests/licences.sh
  local folders=(Tests/Check/*)
  modules "" "${folders[@]##*/}"
)

if [ -n "$filter" ]; then
  SLITSCAN_PLUGIN_PATH=${SLITSCAN_PLUGIN_PATH:-$folder} tests "tests" --filter "$filter" || true
  finish
fi
check
[ $# -gt 0 ] || finish

# MARK: Sanitizers, the plugin and the packages

# The tests that are built with a sanitizer, and the program that stresses the element. GLib's own free lists would
# hand memory from thread to thread where ThreadSanitizer does not see it. A few tests at a time: each takes more
# memory than without.
sanitize() (
  yield
  program=$PWD/.build-$1/debug/slitscanPackageTests.xctest
  export SLITSCAN_SANITIZED=1 SLITSCAN_TEST_SAMPLE=16 G_SLICE=always-malloc
  export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
  # The leaks that it reports are those of gst_init; GStreamer's tracer looks for ours.
  export ASAN_OPTIONS=detect_leaks=0:suppressions=$PWD/Tests/Support/address-sanitizer.supp
  part "$1 sanitizer, build" build_tests "${debug[@]}" --sanitize="$1" --scratch-path ".build-$1" || exit 0
  built=$(comm -12 <(ls Tests/Check) \
    <("$program" --testing-library swift-testing --list-tests | cut -d. -f1 | sort -u))
  # shellcheck disable=SC2086
  modules ", $1 sanitizer" ${built:-none}
  part "stress, $1 sanitizer" own "${program%/*}/ElementProgram" stress 60 || true
)

# Installs the Debian packages in new roots of some releases, where there is no Swift.
clean_roots() {
  local reason suite
  reason=$(meson-shim/tests/clean-root.sh --possible) || {
    echo "Not installed in a new Debian: $reason."
    return
  }
  for suite in "$@"; do meson-shim/tests/clean-root.sh "$suite" .build-deb/packages/*.deb || return; done
}

# They are packed quickly, not small.
debian_packages() {
  local reason
  DPKG_DEB_COMPRESSOR_LEVEL=1 meson-shim/make-deb.sh --swift-scratch-path .build-plugin \
    --command-scratch-path .build-command || return
  lintian --allow-root --fail-on warning .build-deb/packages/*.changes || return
  clean_roots "$(. /etc/os-release && echo "$VERSION_CODENAME")"
}

mkdir -p .build-plugin .build-command
source Tests/Live/thorough-parts.sh
# They fill the processors while packages are loaded and packed, which takes one at most.
(
  sanitize thread
  sanitize address
) &
part "plugin" gst/make-plugin.sh || finish
part "Debian packages" debian_packages || true
# Copies, since other parts build the plugins again.
mkdir "$plugins"
cp .build-plugin/release/libgst*.so "$plugins"
if [ "$1" = --thorough ]; then
  live &
  programs &
  elements
fi
wait
finish
