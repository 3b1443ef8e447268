#!/usr/bin/env bash
# Builds the documentation of the Swift packages and checks it: DocC has no warning, each public symbol stands
# under a heading, each step of a tutorial compiles, and each finished tutorial builds as an app of its own and
# does what it says.
#
#   Tests/Live/documentation.sh             leaves a web site of static files, .build-docs/slitscan.doccarchive
#   Tests/Live/documentation.sh --pictures  makes the pictures of the tutorials anew, too
set -euo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C.UTF-8
shopt -s globstar
trap 'echo "Tests/Live/documentation.sh, line $LINENO: $BASH_COMMAND" >&2' ERR

modules=(SlitScan GStreamer SlitScanCapture)
root=$PWD
output=$root/.build-docs
clip=$root/examples/footage/bigbuckbunny.mp4

# Tests/run.sh says how it has built, so that nothing is built again. Of this product, SwiftPM lists the object
# files: those of all modules, and the program's own.
read -ra build <<<"${SLITSCAN_BUILD_OPTIONS:--Xswiftc -use-ld=lld}"
swift build --quiet "${build[@]}" --product CaptureProgram
built=$(swift build "${build[@]}" --show-bin-path)
tools=$(dirname "$(readlink -f "$(command -v swift)")")

rm -rf "$output"
mkdir -p "$output"/{symbols,objects,tutorials}

# What it takes to import the modules, and to link them.
packages=(gstreamer-video-1.0 gstreamer-app-1.0 gstreamer-controller-1.0)
read -ra imports <<<"$(pkg-config --cflags-only-I "${packages[@]}")"
imports+=(-I "$built/Modules")
for map in "$root"/Sources/**/module.modulemap; do
  imports+=(-Xcc "-fmodule-map-file=$map")
done
for target in CLinux CPagedMemory CSlitScanKernels CWorkerPool CSlitScanEngine GstSlitScan CEffectBin; do
  headers=("$root"/Sources/*/"$target"/include)
  [ -d "${headers[0]}" ] || headers=("$root/gst/slitscan/include")
  imports+=(-Xcc "-fmodule-map-file=$built/$target.build/module.modulemap" -Xcc "-I${headers[0]}")
done
read -ra libraries <<<"$(pkg-config --libs "${packages[@]}")"
grep -v '/CaptureProgram\.build/' "$built/CaptureProgram.product/Objects.LinkFileList" \
  >"$output/objects/modules"

# The pages of a module.
document() {
  local module=$1 symbols=$output/symbols/$1
  mkdir "$symbols"
  # The extractor of Swift 6.3 says `circular reference` of what it extracts all the same. What it did
  # leave out, the headings would miss.
  swift symbolgraph-extract -module-name "$module" -target "$(uname -m)-unknown-linux-gnu" \
    "${imports[@]}" -output-dir "$symbols" -minimum-access-level public -skip-synthesized-members \
    -emit-extension-block-symbols 2>"$symbols/log" || { cat "$symbols/log" && return 1; }
  # Not --analyze: it would ask for the summaries of symbols where only their headings are.
  "$tools/docc" convert Sources/**/"$module.docc" --additional-symbol-graph-dir "$symbols" \
    --fallback-display-name "$module" --fallback-bundle-identifier "slitscan.$module" \
    --fallback-default-module-kind Module --output-dir "$output/$module.doccarchive" \
    --warnings-as-errors >"$symbols/log" || { cat "$symbols/log" && return 1; }
}

# Settings that an app may have, as a reader's own.
features=(ExistentialAny InternalImportsByDefault NonisolatedNonsendingByDefault)

# Compiles a step of a tutorial by itself.
compile() {
  case $1 in
    *-Package.swift)
      swiftc -typecheck -swift-version 6 -package-description-version 6.2 \
        -I "$tools/../lib/swift/pm/ManifestAPI" "$1"
      ;;
    *)
      swiftc -c -parse-as-library -swift-version 6 -warnings-as-errors -module-name Tutorial \
        ${features[@]/#/-enable-upcoming-feature } \
        "${imports[@]}" -o "$output/objects/$(basename "$1" .swift).o" "$1"
      ;;
  esac
}

# Makes a program of a variation.
link() { swiftc -use-ld=lld "$1" "@$output/objects/modules" "${libraries[@]}" -o "$2"; }

# The last step of a tutorial.
last() { printf '%s\n' "$root"/Sources/**/*.docc/Tutorials/"$1"-??.swift | tail -1; }

# Builds a finished tutorial as its reader does: a package of its own, with the manifest of the first step, beside
# one that is called slitscan. Warnings are errors in the app, and none come from SwiftPM.
build_app() {
  local app=$output/apps/$1 manifest
  manifest=$(dirname "$(last "$1")")/$1-01-Package.swift
  local name
  name=$(sed -n '/executableTarget/,$ s/.* name: "\(.*\)",/\1/p' "$manifest")
  mkdir -p "$app/Sources/$name"
  ln -sfn "$root" "$output/apps/slitscan"
  cp "$(last "$1")" "$app/Sources/$name/$name.swift"
  {
    cat "$manifest"
    echo 'for target in package.targets {'
    echo '  target.swiftSettings = [.treatAllWarnings(as: .error)]'
    printf '  target.swiftSettings?.append(.enableUpcomingFeature("%s"))\n' "${features[@]}"
    echo '}'
  } >"$app/Package.swift"
  # In one folder, where the next app finds the modules of this one, but makes a plan of its own.
  rm -f "$output"/apps/.build/{debug.yaml,debug/description.json}
  swift build --package-path "$app" --scratch-path "$output/apps/.build" --disable-index-store \
    -Xswiftc -use-ld=lld >"$app/log" 2>&1 || { cat "$app/log" && return 1; }
  ! grep 'warning:' "$app/log" || return 1
  [ -z "$(ls -A "$output/apps/.build/checkouts")" ] || { echo "$1 fetches packages" && return 1; }
  cp "$output/apps/.build/debug/$name" "$output/tutorials/$1"
}

# Frames of a file's pictures that can be decoded.
frames() {
  ffprobe -v error -select_streams v -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$1"
}

status=0
for module in "${modules[@]}"; do
  document "$module" || status=1
done
for step in Sources/**/*.docc/Tutorials/*.swift; do
  compile "$step" || status=1
done
[ "$status" -eq 0 ] || exit "$status"
Tests/Live/documentation-headings.py "$output"/*.doccarchive
"$tools/docc" merge "$output"/*.doccarchive --output-path "$output/slitscan.doccarchive" \
  --synthesized-landing-page-name slitscan --synthesized-landing-page-kind Package

# The results of the tutorials. Windows are on a virtual display, and not drawn by GL: a program that ends
# right after its window has been seen to crash in Mesa, whose libraries go while a thread still uses them.
export GST_PLUGIN_FEATURE_RANK=glimagesink:NONE
cd "$output/tutorials"
for tutorial in Embedding Bridging Filming Session; do build_app $tutorial; done

ffmpeg -v error -i "$clip" -vf scale=640:360 -f rawvideo -pix_fmt rgba - |
  ./Embedding 640 360 2>embedding.log >embedding.rgba
[ "$(stat -c %s embedding.rgba)" = $(($(frames "$clip") * 640 * 360 * 4)) ]
grep -q 'frames of history' embedding.log

timeout 300 "$root/Tests/Support/with-display.sh" ./Bridging

timeout 300 ./Filming
[ "$(frames film.mp4)" -gt 60 ]

timeout 300 "$root/Tests/Support/with-display.sh" ./Session >session.log
[ "$(frames booth.mp4)" -gt 30 ]
[ "$(frames booth.png)" = 1 ]

[ "${1:-}" = --pictures ] || { rm embedding.rgba && exit; }

# Pictures of what the programs leave. Some are of the bundled clip, as a ball is little to look at.
vary() {
  sed "$2" "$(last "$1")" >"$output/objects/Varied.swift"
  compile "$output/objects/Varied.swift"
  link "$output/objects/Varied.o" Varied
}
still() {
  local picture=$root/Sources/$1
  shift
  ffmpeg -v error -y "$@" -frames:v 1 -q:v 3 "$picture"
}

still Effect/SlitScan/SlitScan.docc/Tutorials/embedding.jpg \
  -f rawvideo -pix_fmt rgba -s 640x360 -i embedding.rgba -vf 'select=eq(n\,100)'
vary Bridging 's/autovideosink/pngenc ! multifilesink location=bridging.png/'
./Varied
still GStreamer/GStreamer.docc/Tutorials/bridging.jpg -i bridging.png -vf scale=480:-1
still Capture/SlitScanCapture/SlitScanCapture.docc/Tutorials/filming.jpg \
  -i film.mp4 -vf 'fps=2,scale=200:-1,tile=3x2:padding=4:color=gray'
vary Session "s#TestPattern(\"ball\")#VideoFile(\"$clip\")#"
"$root/Tests/Support/with-display.sh" ./Varied >session.log
still Capture/SlitScanCapture/SlitScanCapture.docc/Tutorials/session.jpg -i booth.png -vf scale=640:-1
rm embedding.rgba
