#!/usr/bin/env bash
# Runs every test. Installs what is missing, builds, and ends with a line `N passed, N failed`.
#
#   Tests/run.sh              everything
#   Tests/run.sh FILTER       only tests whose name matches, without lint, documentation and sanitizers
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
source examples/install-packages.sh

install_packages libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev libglib2.0-dev pkg-config \
  gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad \
  gstreamer1.0-plugins-ugly gstreamer1.0-libav gstreamer1.0-x gstreamer1.0-gl xvfb xauth \
  gstreamer1.0-pipewire pipewire wireplumber ffmpeg imagemagick indent binutils linux-libc-dev \
  tmux xdotool liblo-dev liblo-tools librtmidi-dev libjack-jackd2-dev jackd2 libpng-dev libcairo2-dev libcurl4-openssl-dev \
  libsdl2-dev openbox x11-utils x11-xserver-utils xserver-xorg-core xserver-xorg-video-dummy
# SwiftPM's own dependencies, on an image that has Swift without them.
command -v swift >/dev/null || {
  echo "Swift 6.3 is missing. Get it from https://www.swift.org/install/linux." >&2
  exit 1
}

# Warnings are errors.
export SLITSCAN_STRICT=1

filter=${1:-}
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
passed=0
failed=0

# What failed is said again at the end, where it is found.
fail() {
  echo "$1" | tee -a "$results/failures"
  failed=$((failed + ${2:-1}))
}

# Begins a part, and says how long it all took until then.
part() {
  printf '== %s (%d:%02d)\n' "$1" $((SECONDS / 60)) $((SECONDS % 60))
}

# The tests that began and did not end, whatever they said meanwhile.
unfinished() {
  awk '
    / Test case / { next }
    /^◇ Test .* started\.$/ { open[name($3)]++ }
    /^(✔|✘) Test .* (passed|failed) after / { open[name($3)]-- }
    END { for (test in open) if (open[test] > 0) print test "()" }
    function name(text) { sub(/\(.*/, "", text); return text }' "$1" | sort
}

# What tests said that failed.
complaints() {
  grep -A 3 -E '✘ Test .* recorded an issue' "$1" | grep -vE '^(◇|✔)' | sed 's/^/  /' || true
}

# What a sanitizer found.
reports() {
  sed -nE '/: (Thread|Address)Sanitizer: /,/^SUMMARY: /p' "$1" | head -80 | sed 's/^/  /'
}

# Adds up what one run of tests says.
count() {
  local name=$1 log=$2 status=$3 tests issues
  tests=$(sed -nE 's/.*Test run with ([0-9]+) tests?.*/\1/p' "$log" | tail -1)
  issues=$(grep -E '✘ Test .* failed after' "$log" | grep -vc 'Test run with' || true)
  if [ -z "$tests" ]; then
    # A signal leaves no other trace.
    fail "$name: the tests did not run to their end; they ended with status $status, within:
$(unfinished "$log" | sed 's/^/  /')
$(complaints "$log")
$(head -40 "$results/standstill" | cut -c 1-160)"
  elif [ "$status" -ne 0 ] && [ "$issues" -eq 0 ]; then
    # ThreadSanitizer lets the tests run on.
    fail "$name: ended with status $status"
  elif [ "$issues" -gt 0 ]; then
    passed=$((passed + tests - issues))
    fail "$name:
$(complaints "$log")" "$issues"
  else
    passed=$((passed + tests))
  fi
  reports "$log" >>"$results/failures"
}

# One step that is a test by itself.
step() {
  local name=$1
  shift
  part "$name"
  if "$@" 2>&1 | tee "$results/log"; then passed=$((passed + 1)); else
    fail "$name: failed; the end of what it said:
$(tail -30 "$results/log" | sed 's/^/  /')"
  fi
}

# Builds and runs the package's tests.
swift_tests() {
  local name=$1 status=0 program tests
  shift
  part "$name"
  if ! swift build --build-tests --quiet "${build[@]}"; then
    fail "$name: does not build"
    return
  fi
  # The tests themselves rather than `swift test`, which now and then loses lines of what they say. They
  # say it to a file, which holds nobody up; and where they hang, what they are at is told.
  program=$(swift build "${build[@]}" --show-bin-path)/slitscanPackageTests.xctest
  : >"$results/log"
  : >"$results/standstill"
  "$program" --testing-library swift-testing "$@" >"$results/log" 2>&1 </dev/null &
  tests=$!
  timeout 1200 tail -n +1 -f --pid="$tests" "$results/log" | grep -vE '^◇' || true
  if kill -0 "$tests" 2>/dev/null; then
    timeout 300 Tests/standstill.sh "$tests" 2>&1 | tee "$results/standstill" || true
    kill -KILL "$tests" 2>/dev/null || true
  fi
  wait "$tests" || status=$?
  count "$name" "$results/log" "$status"
}

part "plugin"
plugin=$(./gst/make-plugin.sh)
SLITSCAN_PLUGIN_PATH=$(dirname "$plugin")
SLITSCAN_CAMERA=$PWD/.build-tests/simulated-camera.so
mkdir -p .build-tests
Tests/SimulatedCamera/build.sh "$SLITSCAN_CAMERA"
export SLITSCAN_PLUGIN_PATH SLITSCAN_CAMERA
# Registry and cache of the tests' own, so that nothing installed or left over is tested instead.
export GST_REGISTRY=$results/registry.bin
unset GST_PLUGIN_PATH

# As users get it: optimized. What is tested from inside is made visible.
build=(-c release -Xswiftc -enable-testing -Xswiftc -use-ld=lld --scratch-path .build-tests)
if [ -n "$filter" ]; then
  swift_tests "tests" --filter "$filter"
else
  # Those that compute all the time, apart from those that wait for something: all tests of a run share
  # Swift's few threads. For the same reason, suites with pipelines that run as fast as they can are
  # serialized.
  swift_tests "tests of the element" --filter '^ElementTests\.'
  swift_tests "tests of pipelines" --filter '^PipelineTests\.'
  # Shows listen to clocks and keys, which come late where everything else runs at once.
  swift_tests "tests of shows" --filter '^SlitScanStageTests\.|^SlitScanRemoteTests\.|LiveTests'
  swift_tests "tests" --skip '^ElementTests\.|^PipelineTests\.|^SlitScanStageTests\.|^SlitScanRemoteTests\.|LiveTests'
fi

# What people install, where there is no Swift.
debian_packages() {
  local packages reason
  packages=$(meson-shim/make-deb.sh --swift-scratch-path .build-plugin \
    --command-scratch-path .build-command) || return
  lintian --allow-root --fail-on warning .build-deb/packages/*.changes || return
  if reason=$(meson-shim/tests/clean-root.sh --possible); then
    # shellcheck disable=SC2086
    meson-shim/tests/clean-root.sh $packages
  else
    echo "Not installed in a new Debian: $reason."
  fi
}

if [ -z "$filter" ]; then
  step "lint" Tests/lint.sh
  step "licences" Tests/licences.sh
  step "traps" Tests/traps.sh

  install_packages build-essential meson ninja-build debhelper lintian man-db mmdebstrap
  step "documentation" Tests/documentation.sh
  mkdir -p .build-command
  step "meson" meson-shim/tests/module.sh -Dcommand=enabled \
    -Dswift-scratch-path="$PWD/.build-plugin" -Dcommand-scratch-path="$PWD/.build-command"
  step "Debian packages" debian_packages
  step "releases" meson-shim/tests/release.sh
  step "Swift examples" examples/try-swift.sh
  install_packages libgtk-3-dev gstreamer1.0-gtk3 python3-gi gir1.2-gstreamer-1.0 \
    gir1.2-gst-plugins-base-1.0 python3-numpy
  step "C and Python examples" env GST_PLUGIN_PATH="$SLITSCAN_PLUGIN_PATH" examples/try-c-python.sh
  install_packages chromium python3-websocket
  step "page of the remote" Tests/RemoteProgram/try-page.sh .build-tests/release/RemoteProgram
  step "a show with all hands" env GST_PRESET_PATH="$PWD/gst/presets" \
    Tests/Shows/long-show.py .build-tests/release/slitscan 40
  step "keys and their pictures" Tests/Shows/key-to-picture.py .build-tests/release/slitscan 20 --fps 5
  step "an hour of film" .build-tests/release/SoakProgram 60
  step "elements that come and go" .build-tests/release/LifecycleProgram 10000
  step "elements that come and go, leaks" \
    Tests/StressProgram/leaks.sh .build-tests/release/LifecycleProgram 200
  # GLib ends processes without memory, which the program expects.
  step "limits" env SWIFT_BACKTRACE=enable=no .build-tests/release/LimitsProgram
  step "what the plugin asks the system for" Tests/trust.sh "$plugin"
  step "everything at once, leaks" Tests/StressProgram/leaks.sh .build-tests/release/StressProgram 20
  step "scenarios of gst-validate" Tests/validate/run.sh
  step "fuzzing" Tests/fuzz.sh

  # The sanitizers see what runs in this process; the commands above are other processes.
  # Left out: ten minutes of recording, which take too long; cameras, which are in other processes too; and
  # JACK, whose threads end where ThreadSanitizer does not let them.
  sanitized=(
    --filter 'StreamingThreadTests|SlitScanTests|PipelineTests|GStreamerTests|SlitScanCaptureTests'
    --skip 'overTenMinutes|CameraTests'
  )
  # Apart from those, as above. Not the same film in parts of all lengths, either.
  sanitized_shows=(
    --filter 'SlitScanRenderTests|SlitScanStageTests|SlitScanRemoteTests'
    --skip 'MIDIJackTests|partsThatAreJoinedAreTheWholeFilm'
  )
  # GLib's own free lists would hand memory from thread to thread where ThreadSanitizer does not see it.
  export G_SLICE=always-malloc
  export SLITSCAN_SANITIZED=1
  build=(--sanitize=thread -Xswiftc -use-ld=lld --scratch-path .build-thread)
  swift_tests "thread sanitizer" "${sanitized[@]}"
  swift_tests "thread sanitizer, shows" "${sanitized_shows[@]}"
  step "everything at once, thread sanitizer" .build-thread/debug/StressProgram 60
  build=(--sanitize=address -Xswiftc -use-ld=lld --scratch-path .build-address)
  # The leaks that are reported are those of gst_init itself; GStreamer's tracer looks for ours.
  export ASAN_OPTIONS=detect_leaks=0:suppressions=$PWD/Tests/address-sanitizer.supp
  swift_tests "address sanitizer" "${sanitized[@]}"
  swift_tests "address sanitizer, shows" "${sanitized_shows[@]}"
  step "everything at once, address sanitizer" .build-address/debug/StressProgram 60
fi

if [ -s "$results/failures" ]; then
  part "What failed"
  cat "$results/failures"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
