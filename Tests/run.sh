#!/usr/bin/env bash
# Runs the tests. Installs what is missing, builds, and ends with a line `N passed, N failed`.
#
#   Tests/run.sh              the tests of every module, with a sample of the random ones
#   Tests/run.sh --thorough   these, then all random tests and what takes long: the plugin as it is installed,
#                             packages, documentation, examples, fuzzing, sanitizers
#   Tests/run.sh FILTER       the tests whose name matches a regular expression
#
# A part that passes prints one line; a part that fails prints what it wrote. Before the last line stand the
# times of all parts, the longest first, and the failures once more.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
source examples/install-packages.sh

thorough=false
filter=
case ${1:-} in
  --thorough) thorough=true ;;
  -*) echo "run.sh: unknown option $1; there is --thorough, or a filter." >&2 && exit 2 ;;
  *) filter=${1:-} ;;
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
touch "$results"/{counts,failures}

# MARK: Parts

# Sets `processor` to the seconds of processor time that this shell's ended children took.
measure_processor() {
  local stat
  read -r -a stat <"/proc/$BASHPID/stat"
  processor=$(((stat[15] + stat[16]) / $(getconf CLK_TCK)))
}

# Writes down how a part ended: its name, how many tests passed and failed, and the clock and the processor time
# at its start.
record() {
  local name=$1 passed=$2 failed=$3 start=$4 processor_start=$5 word=ok processor
  local time=$((SECONDS - start))
  measure_processor
  processor=$((processor - processor_start))
  [ "$failed" -eq 0 ] || word=FAILED
  printf '%d %d %d %d %s\n' "$time" "$processor" "$passed" "$failed" "$name" >>"$results/counts"
  printf '%-6s %2d:%02d  %s\n' "$word" $((time / 60)) $((time % 60)) "$name"
}

# The file for what a part writes.
log_of() { echo "$results/${1//[^a-z0-9]/-}.log"; }

# Prints an error now, and at the end again.
fail() { printf '%s\n' "$1" | tee -a "$results/failures"; }

# A part that is one test: a command, which succeeds or fails.
part() {
  local name=$1 start=$SECONDS processor log
  measure_processor
  log=$(log_of "$name")
  shift
  if "$@" >"$log" 2>&1 </dev/null; then
    record "$name" 1 0 "$start" "$processor"
  else
    fail "$name failed. The end of its output:
$(tail -40 "$log" | sed 's/^/  /')"
    record "$name" 0 1 "$start" "$processor"
    return 1
  fi
}

# The tests that began and did not end.
unfinished() {
  awk '
    / Test case / { next }
    /^◇ Test .* started\.$/ { open[name($3)]++ }
    /^(✔|✘) Test .* (passed|failed) after / { open[name($3)]-- }
    END { for (test in open) if (open[test] > 0) print test "()" }
    function name(text) { sub(/\(.*/, "", text); return text }' "$1" | sort
}

# What failing tests wrote.
complaints() {
  grep -A 3 -E '✘ Test .* recorded an issue' "$1" | grep -vE '^(◇|✔)' | sed 's/^/  /' || true
}

# What a sanitizer found.
reports() {
  sed -nE '/: (Thread|Address)Sanitizer: /,/^SUMMARY: /p' "$1" | head -80 | sed 's/^/  /'
}

# A part that is many tests: those of the test program that `options` select. The program is started directly,
# since `swift test` now and then loses lines. Where it does not end, the stacks of its threads are printed.
tests() {
  local name=$1 start=$SECONDS processor status=0 log tests total issues
  measure_processor
  log=$(log_of "$name")
  shift
  "$program" --testing-library swift-testing "$@" >"$log" 2>&1 </dev/null &
  tests=$!
  timeout 1200 tail -f --pid="$tests" /dev/null || true
  if kill -0 "$tests" 2>/dev/null; then
    timeout 300 Tests/Support/standstill.sh "$tests" >"$log.standstill" 2>&1 || true
    kill -KILL "$tests" 2>/dev/null || true
  fi
  wait "$tests" || status=$?
  total=$(sed -nE 's/.*Test run with ([0-9]+) tests?.*/\1/p' "$log" | tail -1)
  issues=$(grep -E '✘ Test .* failed after' "$log" | grep -vc 'Test run with' || true)
  if [ -z "$total" ]; then
    fail "$name: the tests did not run to their end. They ended with status $status, within:
$(unfinished "$log" | sed 's/^/  /')
$(complaints "$log")
$(reports "$log")
$(head -40 "$log.standstill" 2>/dev/null | cut -c 1-160)
$(tail -20 "$log" | cut -c 1-300 | sed 's/^/  /')"
    record "$name" 0 1 "$start" "$processor"
  elif [ "$status" -ne 0 ] || [ "$issues" -gt 0 ]; then
    # A sanitizer lets the tests run on, and changes the status.
    fail "$name: status $status
$(complaints "$log")
$(reports "$log")"
    [ "$issues" -gt 0 ] || issues=1
    record "$name" $((total > issues ? total - issues : 0)) "$issues" "$start" "$processor"
  else
    record "$name" "$total" 0 "$start" "$processor"
  fi
}

# Prints the table of times and the failures; the last line of all.
finish() {
  local time processor passed failed name total_passed=0 total_failed=0
  echo
  echo "Time and processor time of the parts, of which some ran side by side:"
  while read -r time processor passed failed name; do
    printf '%3d:%02d %3d:%02d  %s\n' $((time / 60)) $((time % 60)) $((processor / 60)) $((processor % 60)) "$name"
  done < <(sort -rn "$results/counts")
  measure_processor
  printf '%3d:%02d %3d:%02d  in all\n' $((SECONDS / 60)) $((SECONDS % 60)) $((processor / 60)) $((processor % 60))
  while read -r time processor passed failed name; do
    total_passed=$((total_passed + passed))
    total_failed=$((total_failed + failed))
  done <"$results/counts"
  if [ -s "$results/failures" ]; then
    printf '\nFailures:\n'
    cat "$results/failures"
  fi
  echo "$total_passed passed, $total_failed failed"
  [ "$total_failed" -eq 0 ] || exit 1
  exit 0
}

# MARK: Packages of Debian, and what the tests run

build_packages=(libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev libglib2.0-dev pkg-config binutils
  linux-libc-dev librtmidi-dev libjack-jackd2-dev libpng-dev libcairo2-dev libsdl2-dev libsoup-3.0-dev
  ableton-link-dev libaubio-dev)
test_packages=(gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good
  gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly gstreamer1.0-libav gstreamer1.0-x gstreamer1.0-gl
  gstreamer1.0-pipewire pipewire wireplumber jackd2 liblo-tools ffmpeg imagemagick indent tmux
  xvfb xauth xdotool openbox x11-utils x11-xserver-utils xserver-xorg-core xserver-xorg-video-dummy)
thorough_packages=(build-essential meson ninja-build debhelper lintian man-db mmdebstrap libgtk-3-dev
  gstreamer1.0-gtk3 python3-gi gir1.2-gstreamer-1.0 gir1.2-gst-plugins-base-1.0 python3-numpy chromium
  python3-websocket strace gcc-aarch64-linux-gnu qemu-user libc6-dev-arm64-cross)
! "$thorough" || test_packages+=("${thorough_packages[@]}")

# Warnings are errors.
export SLITSCAN_STRICT=1
# Registry and cache of the tests' own, so that nothing installed or left over is tested instead.
export GST_REGISTRY=$results/registry.bin
unset GST_PLUGIN_PATH GST_PRESET_PATH

# C, which has the inner loops, is optimized; Swift is not, which compiles sooner. Whole modules at once, type-checked
# once, with line numbers only, compile in two thirds of the time.
debug=(-Xcc -O2 -Xswiftc -wmo -Xswiftc -no-emit-module-separately-wmo
  -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -gline-tables-only -Xswiftc -use-ld=lld)

# Builds all tests, and finds the program that runs them.
build_tests() {
  swift build --build-tests --quiet "${build[@]}"
}
find_program() { program=$(swift build "${build[@]}" --show-bin-path)/slitscanPackageTests.xctest; }

part "packages for the build" install_packages "${build_packages[@]}" || finish
part "packages for the tests" install_packages "${test_packages[@]}" &
installation=$!
build=("${debug[@]}" --scratch-path .build-tests)
part "build" build_tests || finish
wait "$installation" || finish
find_program
folder=$(dirname "$program")
SLITSCAN_PLUGIN_PATH=$folder
SLITSCAN_CAMERA=$PWD/.build-tests/simulated-camera.so
export SLITSCAN_PLUGIN_PATH SLITSCAN_CAMERA
part "simulated camera" Tests/Support/SimulatedCamera/build.sh "$SLITSCAN_CAMERA" || finish
export SLITSCAN_SMALL_CLIP=$PWD/.build-tests/small-clip.mp4
part "small clip" ffmpeg -v error -y -i examples/footage/bigbuckbunny.mp4 -vf scale=320:180 -c:a copy \
  "$SLITSCAN_SMALL_CLIP" || finish

if [ -n "$filter" ]; then
  tests "tests" --filter "$filter"
  finish
fi

# MARK: The tests of every module

# Not here: what takes very long, and what is about the plugin and the command as they are installed.
long='overTenMinutes|memoryDoesNotGrowWithTheFilm|partsThatAreJoined'
long+='|PluginTests|QuickstartTests'
# Tests that compute, and then tests that play in real time, which must have the processor when their time comes.
computing='^ElementTests\.|^SlitScanTests\.|^SlitScanRenderTests\.|^CommandTests\.(Bench|Damaged|Render|Photo)'
playing='^PipelineTests\.|^SlitScanStageTests\.|^CommandTests\.(Window)?LiveTests'
remote='^SlitScanRemoteTests\.'
camera='^CommandTests\.CameraTests'
compute() {
  renice -n 19 "$BASHPID" >/dev/null
  part "lint" Tests/lint.sh || true
  part "licences" Tests/licences.sh || true
  tests "tests that compute" --filter "$computing" --skip "$long"
}
export SLITSCAN_TEST_SAMPLE=16
# Mesa's software takes half of the time to compile.
export GALLIVM_PERF=nopt LP_NATIVE_VECTOR_WIDTH=128
(compute) &
lanes=($!)
tests "other tests" --skip "$computing|$playing|$remote|$camera|$long" &
lanes+=($!)
wait "${lanes[@]}" || true
tests "tests of pipelines and shows" --filter "$playing" &
lanes=($!)
tests "tests of the remote" --filter "$remote" &
lanes+=($!)
wait "${lanes[@]}" || true
# A camera does not wait for whoever is late.
tests "camera" --filter "$camera"

"$thorough" || finish
unset SLITSCAN_TEST_SAMPLE GALLIVM_PERF LP_NATIVE_VECTOR_WIDTH

# MARK: The plugin as it is installed, and the programs around it

part "plugin" gst/make-plugin.sh || finish
# A copy, since another part builds the plugin again.
SLITSCAN_PLUGIN_PATH=$results/plugin
plugin=$SLITSCAN_PLUGIN_PATH/libgstslitscan.so
mkdir "$SLITSCAN_PLUGIN_PATH"
cp .build-plugin/release/libgstslitscan.so "$plugin"

# All random tests, and the programs that stress the element, with the plugin's optimized code.
element_of_the_plugin() {
  export SLITSCAN_TEST_PLUGIN=1 GST_PLUGIN_PATH=$SLITSCAN_PLUGIN_PATH
  tests "element of the plugin" --filter '^ElementTests\.'
  tests "pipelines with the plugin" --filter '^PipelineTests\.'
  part "an hour of video" "$folder/ElementProgram" soak 60 || true
  part "10,000 elements" "$folder/ElementProgram" lifecycle 10000 || true
  part "200 elements, leaks" Tests/Live/ElementProgram/leaks.sh "$folder/ElementProgram" lifecycle 200 || true
  # GLib ends a process that gets no memory, which the program expects.
  part "limits" env SWIFT_BACKTRACE=enable=no "$folder/ElementProgram" limits || true
  part "stress, leaks" Tests/Live/ElementProgram/leaks.sh "$folder/ElementProgram" stress 20 || true
}

# Installs the Debian packages where there is no Swift. They are packed quickly, not small.
debian_packages() {
  local reason
  DPKG_DEB_COMPRESSOR_LEVEL=1 meson-shim/make-deb.sh --swift-scratch-path .build-plugin \
    --command-scratch-path .build-command || return
  lintian --allow-root --fail-on warning .build-deb/packages/*.changes || return
  if reason=$(meson-shim/tests/clean-root.sh --possible); then
    meson-shim/tests/clean-root.sh .build-deb/packages/*.deb
  else
    echo "Not installed in a new Debian: $reason."
  fi
}

# A package of its own, in the folder of the tests, where it finds the modules of the effect and the overlay.
build_benchmarks() {
  swift build --build-tests --quiet "${build[@]}" --package-path Tests/Benchmarks
}

# The element on the GPU, which here is Mesa's software.
element_on_the_gpu() {
  export SLITSCAN_TEST_ELEMENT=glslitscan GST_GL_PLATFORM=egl GST_GL_WINDOW=egl-device SLITSCAN_TEST_SAMPLE=16
  tests "element on the GPU" --filter '^ElementTests\.|^PipelineTests\.SnapshotTests'
  GST_GL_API=gles2 tests "effect in OpenGL ES" --filter '^SlitScanGLTests\.'
}

programs() {
  (element_on_the_gpu)
  part "traps" Tests/Live/traps.sh || true
  part "inner loops on ARM" Tests/Live/KernelProgram/run.sh || true
  part "system calls of the plugin" Tests/Live/trust.sh "$plugin" || true
  part "scenarios of gst-validate" Tests/Live/validate/run.sh || true
  part "documentation" env SLITSCAN_BUILD_OPTIONS="${build[*]}" Tests/Live/documentation.sh || true
  part "public API" env -u SLITSCAN_STRICT Tests/Live/api-changes.sh || true
  # As other packages build it, which do not have SwiftPM take flags of its own.
  part "Swift examples" env -u SLITSCAN_STRICT examples/try-swift.sh || true
  part "C and Python examples" env GST_PLUGIN_PATH="$SLITSCAN_PLUGIN_PATH" examples/try-c-python.sh || true
  mkdir -p .build-command
  part "meson" meson-shim/tests/module.sh -Dcommand=enabled \
    -Dswift-scratch-path="$PWD/.build-plugin" -Dcommand-scratch-path="$PWD/.build-command" || true
  export SLITSCAN_TEST_COMMAND=$PWD/.build-command/release/slitscan
  local random='KernelTests|recordingsMayBeStarted'
  tests "long tests, plugin, command" --filter "$long|$random"
  if part "benchmarks, build" build_benchmarks; then
    (program=$folder/benchmarksPackageTests.xctest && tests "benchmarks")
  fi
  part "Debian packages" debian_packages || true
  part "releases" env -u SLITSCAN_STRICT meson-shim/tests/release.sh || true
  part "remote in a browser" Tests/Live/RemoteProgram/try-page.sh "$folder/RemoteProgram" || true
  part "a long show" Tests/Live/Shows/long-show.py "$SLITSCAN_TEST_COMMAND" 40 || true
  part "keys in a show" Tests/Live/Shows/key-to-frame.py "$SLITSCAN_TEST_COMMAND" 20 --fps 5 || true
}

# MARK: Sanitizers

# The sanitizers see what runs in this process, not the commands that tests start. Left out: ten minutes of
# recording; cameras, which are other processes; JACK, whose threads end where ThreadSanitizer does not let
# them; and the same film in parts of all lengths.
sanitized='StreamingThreadTests|SlitScanTests|PipelineTests|GStreamerTests|SlitScanCaptureTests|SlitScanRenderTests'
# Shows with a source. Beside tests that compute for seconds, as they do here, sources seem to have fallen silent.
sources='^SlitScanStageTests\.(BeatFollower|HistoryReserve|LostSource|Playlist|Reset|Source)Tests'
unsanitized='overTenMinutes|CameraTests|MIDIJackTests|partsThatAreJoined'

# Builds with a sanitizer, as who leaves the processor to others.
build_sanitized() {
  build=("${debug[@]}" --sanitize="$1" --scratch-path ".build-$1")
  renice -n 19 "$BASHPID" >/dev/null
  part "$1 sanitizer, build" build_tests
}

# Runs tests with a sanitizer, and stresses the element. What plays in real time has the processor for itself.
test_sanitized() {
  local sanitizer=$1 lanes
  build=("${debug[@]}" --sanitize="$sanitizer" --scratch-path ".build-$sanitizer")
  find_program
  tests "$sanitizer sanitizer, tests" --filter "$sanitized" --skip "$unsanitized"
  tests "$sanitizer sanitizer, tests of shows" --filter '^SlitScanStageTests\.' --skip "$unsanitized|$sources" &
  lanes=($!)
  tests "$sanitizer sanitizer, tests of the remote" --filter "$remote" &
  lanes+=($!)
  wait "${lanes[@]}" || true
  tests "$sanitizer sanitizer, shows with a source" --filter "$sources"
  part "$sanitizer sanitizer, stress" "$(dirname "$program")/ElementProgram" stress 60 || true
}

# GLib's own free lists would hand memory from thread to thread where ThreadSanitizer does not see it. A few tests
# at a time: the time limit of a test begins before it has a thread.
prepare_sanitizers() {
  export SLITSCAN_SANITIZED=1 G_SLICE=always-malloc SLITSCAN_TEST_SAMPLE=16
  export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
}

# Two at a time.
{
  element_of_the_plugin
  part "fuzzing" Tests/Live/fuzz.sh -max_total_time=30 || true
  prepare_sanitizers
  build_sanitized thread
} &
first=$!
programs &
others=$!
is_built=true
wait "$first" || is_built=false
wait "$others" || true

prepare_sanitizers
# The tests wait more than they compute: meanwhile, the next build.
(build_sanitized address) &
building=$!
! "$is_built" || test_sanitized thread
if wait "$building"; then
  # The leaks that it reports are those of gst_init; GStreamer's tracer looks for ours.
  export ASAN_OPTIONS=detect_leaks=0:suppressions=$PWD/Tests/Support/address-sanitizer.supp
  test_sanitized address
fi
finish
