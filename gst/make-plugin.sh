#!/usr/bin/env bash
# Builds a plugin to ship: one hardened file, with Swift's runtime inside and nothing but the symbols of its
# plugin.map outside. Prints its path; to a terminal, the lines to paste there instead.
#
#   gst/make-plugin.sh [--gl] [--swift PROGRAM] [--scratch-path FOLDER] [--keep-symbols]
#
# --gl            the plugin of glslitscan, which needs that of slitscan beside it
# --swift         the compiler driver, if it is not the one in PATH
# --scratch-path  where to build, if not in .build-plugin
# --keep-symbols  leaves the names of functions in, for debuggers and profilers
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")

swift=swift
scratch=$root/.build-plugin
name=slitscan
strip=(-Xlinker --strip-all)
while [ $# -gt 0 ]; do
  case $1 in
    --gl) name=slitscangl && export SLITSCAN_GL=1 && shift ;;
    --swift) swift=$2 && shift 2 ;;
    --scratch-path) scratch=$2 && shift 2 ;;
    --keep-symbols) strip=() && shift ;;
    *) echo "make-plugin.sh: what is $1?" >&2 && exit 2 ;;
  esac
done

# SwiftPM does not look at the list of symbols.
plugin=$scratch/release/libgst$name.so
[ ! "$root/gst/$name/plugin.map" -nt "$plugin" ] || rm -f "$plugin"
# The plugin is the same wherever it is built: what names source files does so from the package's folder, and
# debugging information does not refer to SwiftPM's module cache.
paths=(-Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs)
for map in "$scratch=./build" "$root=."; do
  paths+=(-Xcc "-ffile-prefix-map=$map" -Xswiftc -file-prefix-map -Xswiftc "$map")
done
# A person who waits sees how far it is.
quiet=()
[ -t 2 ] || quiet=(--quiet)
# Without a name of its own, the library would be remembered by the path it was linked from. The package's generator
# of code is linked with the same options, and defines none of the plugin's symbols.
SLITSCAN_PLUGIN_ONLY=1 "$swift" build "${quiet[@]}" -c release --product "gst$name" \
  --package-path "$root" --scratch-path "$scratch" --disable-local-rpath \
  --toolset "$root/gst/toolset.json" "${paths[@]}" \
  -Xswiftc -static-stdlib -Xswiftc -use-ld=lld \
  -Xlinker --version-script="$root/gst/$name/plugin.map" -Xlinker --undefined-version \
  -Xlinker -soname="libgst$name.so" \
  -Xlinker --gc-sections "${strip[@]}" >&2

# Prints offset and size of a section.
section() {
  readelf --sections --wide "$plugin" |
    sed -nE "s/.* \\.$1 +[A-Z]+ +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) .*/\\1 \\2/p"
}
# Writes standard input into the plugin. SwiftPM would link again what has another time than before.
overwrite() { dd of="$plugin" bs=1 seek="$1" conv=notrunc status=none; }

# For incremental builds, Swift leaves hashes in the plugin, which follow from the build folder, and the
# linker's build ID follows from them.
time=$(stat -c %y "$plugin")
read -r offset size < <(section swift_modhash)
head -c $((16#$size)) /dev/zero | overwrite $((16#$offset))
read -r offset size < <(section note.gnu.build-id)
head -c $((16#$size - 16)) /dev/zero | overwrite $((16#$offset + 16))
id=$(sha1sum "$plugin")
# shellcheck disable=SC2059
printf "$(sed 's/../\\x&/g' <<<"${id:0:$((2 * (16#$size - 16)))}")" | overwrite $((16#$offset + 16))
touch -d "$time" "$plugin"

if [ ! -t 1 ]; then
  realpath "$plugin"
  exit
fi
echo "# Paste this, so that GStreamer finds the plugin:"
# shellcheck disable=SC2016
printf 'export GST_PLUGIN_PATH=%q"${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}"\n' "$(dirname "$(realpath "$plugin")")"
command=$root/.build/release/slitscan
[ ! -x "$command" ] || printf 'export PATH=%q:"$PATH"\n' "$(dirname "$command")"
