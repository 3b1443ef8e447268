#!/usr/bin/env bash
# Runs libFuzzer with AddressSanitizer on all external input: settings, layouts and frames; images and their
# headers; presets; capture configurations; OSC; MIDI; scripts and moves; hosts, origins, cookies and codes of
# requests to the phone page.
#
#   Tests/Live/fuzz.sh                      a minute of each
#   Tests/Live/fuzz.sh -runs=1000000        as libFuzzer has its options, for each
#   Tests/Live/fuzz.sh TARGET [OPTIONS]     engine, image, map, preset, session, osc, midi, text or remote alone
#
# What fails is left in .build-fuzz/failures; give the file as an option to repeat it.
set -euo pipefail
cd "$(dirname "$0")/../.."
targets=(engine image map preset session osc midi text remote)
for target in "${targets[@]}"; do
  if [ "${1:-}" = "$target" ]; then
    targets=("$target")
    shift
    break
  fi
done
options=("$@")
[ ${#options[@]} -gt 0 ] || options=(-max_total_time=60)

export SLITSCAN_FUZZ=1 SWIFT_BACKTRACE=enable=no
# As -sanitize=fuzzer, but for its main(), which programs that run during the build must not have.
build=(-c release -Xswiftc -enable-testing -Xswiftc -sanitize=address
  -Xswiftc -sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table
  -Xcc -fsanitize=fuzzer-no-link,address -Xswiftc -use-ld=lld --scratch-path .build-fuzz
  --product FuzzProgram)
swift build --quiet "${build[@]}"
program=$(swift build "${build[@]}" --show-bin-path)/FuzzProgram

# One target; what it says is for when it fails.
fuzz() {
  local target=$1 status=0
  mkdir -p ".build-fuzz/corpus/$target" .build-fuzz/failures
  SLITSCAN_FUZZ_TARGET=$target ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
    "$program" -artifact_prefix=".build-fuzz/failures/$target-" -rss_limit_mb=4096 -timeout=120 \
    -print_final_stats=1 "${options[@]}" ".build-fuzz/corpus/$target" "Tests/Live/FuzzProgram/seeds/$target" \
    >".build-fuzz/$target.log" 2>&1 || status=$?
  echo "== $target: $(sed -nE 's/.*number_of_executed_units: *//p' ".build-fuzz/$target.log") runs"
  [ "$status" -eq 0 ] || { tail -60 ".build-fuzz/$target.log" && return 1; }
}

# Twice as many at once as there are cores: a minute of each is soon over.
jobs=$((2 * $(nproc)))
status=0
running=0
for target in "${targets[@]}"; do
  if [ "$running" -eq "$jobs" ]; then
    wait -n || status=1
    running=$((running - 1))
  fi
  fuzz "$target" &
  running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
  wait -n || status=1
  running=$((running - 1))
done
exit "$status"
