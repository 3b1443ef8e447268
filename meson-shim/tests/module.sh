#!/usr/bin/env bash
# Tests that slitscan builds, tests, installs and uninstalls like a module of GStreamer, in a temporary
# prefix.
#
#   module.sh [OPTION…]
#
# The options are for meson setup, as -Dswift-scratch-path=FOLDER.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=$work/build
prefix=$work/prefix
# Where GStreamer looks is what the tests below say.
unset GST_PLUGIN_PATH GST_PLUGIN_PATH_1_0 GST_PRESET_PATH
export GST_REGISTRY=$work/registry.bin XDG_DATA_HOME=$work

# Runs a program, and shows what it says only if it fails.
quietly() {
  "$@" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    echo "failed: $*" >&2
    exit 1
  }
}

# What ninja would do.
pending() { ninja -C "$build" -n | tail -n 1; }

# Expects setup to end with a sentence that says why.
refused() {
  local why=$1
  shift
  ! meson setup "$work/refused" meson-shim "$@" >"$work/log" 2>&1 || return 1
  grep -F -- "$why" "$work/log" >/dev/null
  rm -rf "$work/refused"
}
cat >"$work/cross" <<'END'
[binaries]
c = 'cc'
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
refused 'cannot be cross-compiled' --cross-file="$work/cross"
refused 'has no static library' -Ddefault_library=static
refused 'has no static library' -Ddefault_library=both

quietly meson setup "$build" meson-shim --prefix="$prefix" "$@"
quietly meson compile -C "$build"
quietly meson test -C "$build" --print-errorlogs

# Nothing is built again in vain, and a source that has changed is.
plugin=$build/plugin/libgstslitscan.so
[ "$(pending)" = "ninja: no work to do." ]
touch README.md Tests/lint.sh examples/quickstart.sh
[ "$(pending)" = "ninja: no work to do." ]
written=$(stat -c %y "$plugin")
touch gst/slitscan/gstslitscan.c
[ "$(pending)" != "ninja: no work to do." ]
quietly meson compile -C "$build"
[ "$(pending)" = "ninja: no work to do." ]
[ "$(stat -c %y "$plugin")" = "$written" ]
# So is what is included or embedded. Each file gets its time back, and SwiftPM builds nothing again.
embedded=(Sources/Effect/CSlitScanSettings/include/slitscan-properties.def gst/presets/GstSlitScan.prs)
[ ! -e "$build/plugin/libgstslitscangl.so" ] || embedded+=(Sources/GPU/SlitScanGL/Shaders/slit.glsl)
[ ! -e "$build/command/slitscan" ] || embedded+=(Sources/Inputs/SlitScanRemote/Page/page.html)
for file in "${embedded[@]}"; do
  touch -r "$file" "$work/time"
  touch "$file"
  [ "$(pending)" != "ninja: no work to do." ]
  touch -r "$work/time" "$file"
  [ "$(pending)" = "ninja: no work to do." ]
done

quietly meson devenv -C "$build" gst-launch-1.0 videotestsrc num-buffers=5 ! slitscan @preset=Vortex \
  ! fakesink

# Staged as for a package, then in the prefix.
quietly env DESTDIR="$work/stage" meson install -C "$build"
[ ! -e "$prefix" ]
quietly meson install -C "$build"
diff -r "$work/stage$prefix" "$prefix"

# As a user: GStreamer is told of the prefix beside its own plugins, or an application links.
plugins=$(dirname "$(find "$prefix" -name libgstslitscan.so)")
(
  GST_PLUGIN_SYSTEM_PATH=$(pkg-config --variable=pluginsdir gstreamer-1.0):$plugins
  export GST_PLUGIN_SYSTEM_PATH
  quietly gst-inspect-1.0 slitscan
  grep "Filename.*$plugins/libgstslitscan.so" "$work/log" >/dev/null
  quietly gst-launch-1.0 videotestsrc num-buffers=50 ! slitscan @preset=Vortex ! fakesink
)
export PKG_CONFIG_PATH=$plugins/../pkgconfig
# shellcheck disable=SC2046
quietly cc examples/linked/linked.c -o "$work/linked" $(pkg-config --cflags --libs slitscan-1.0)
quietly "$work/linked"
[ "$(pkg-config --modversion slitscan-1.0)" = "$(meson-shim/version.sh)" ]
[ ! -e "$prefix/bin/slitscan" ] || quietly "$prefix/bin/slitscan" --help

quietly ninja -C "$build" uninstall
[ ! -e "$prefix" ]
