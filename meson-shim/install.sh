#!/usr/bin/env bash
# Installs slitscan from source: the plugins and the command, with its manual page and completions. Installs the Debian
# packages that are missing, and needs Swift 6.3.
#
#   meson-shim/install.sh [--prefix FOLDER]   installs below FOLDER, if not ~/.local
#   meson-shim/install.sh --undo              removes what it installed
#
# --build FOLDER is where meson builds and remembers what was installed, if not .build-install.
set -euo pipefail
cd "$(dirname "$0")/.."
source examples/install-packages.sh
source meson-shim/build-packages.sh

# Kept, so that the next version is built quickly.
build=$PWD/.build-install
prefix=~/.local
undo=false
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) prefix=${2:?install.sh: --prefix needs a folder} && shift 2 ;;
    --prefix=*) prefix=${1#*=} && shift ;;
    --build) build=$(realpath -m "${2:?install.sh: --build needs a folder}") && shift 2 ;;
    --undo) undo=true && shift ;;
    *) echo "install.sh: unknown option $1; there are --prefix FOLDER, --build FOLDER and --undo." >&2 && exit 2 ;;
  esac
done
prefix=$(realpath -m "$prefix")

# Runs a step, and says which one, and afterwards how long it took. Its output stands in the log.
log=$build/install.log
mkdir -p "$build"
step() {
  local what=$1 start=$SECONDS
  shift
  printf '%s… ' "$what"
  "$@" >"$log" 2>&1 </dev/null || {
    printf 'failed.\n\n'
    tail -n 30 "$log" >&2
    echo "install.sh: this step failed. All that was said is in $log." >&2
    exit 1
  }
  printf '%d:%02d\n' $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60))
}

# Where the last one was installed, if it was.
last=
[ ! -e "$build/meson-logs/install-log.txt" ] ||
  last=$(meson introspect --buildoptions "$build" | python3 -c '
import json, sys
print(next(option["value"] for option in json.load(sys.stdin) if option["name"] == "prefix"))')

# As root, where only root can write.
writer_of() {
  local folder=$1
  while [ ! -e "$folder" ]; do folder=$(dirname "$folder"); done
  root=()
  [ -w "$folder" ] || root=(sudo)
}
remove() {
  writer_of "$last"
  step "Removing slitscan from $last" "${root[@]}" ninja -C "$build" uninstall
  "${root[@]}" rm -f "$build/meson-logs/install-log.txt"
}

if "$undo"; then
  [ -n "$last" ] || { echo "install.sh: slitscan is not installed from this folder." >&2 && exit 1; }
  remove
  exit
fi

said=$(swift --version 2>&1) || true
[[ $said =~ Swift\ version\ (6\.([3-9]|[0-9]{2})|[7-9]|[0-9]{2}) ]] || {
  echo "install.sh: Swift 6.3 is missing. Get it from https://www.swift.org/install/linux, then run this again. Now, swift" \
    "--version says: $said" >&2
  exit 1
}
install_packages "${plugin_packages[@]}" "${command_packages[@]}" "${runtime_packages[@]}"

# Plugins are where GStreamer looks: in its own prefix, or among the user's.
options=("--prefix=$prefix" -Dcommand=enabled -Dgl=enabled -Dtests=disabled -Dexamples=disabled)
options+=("-Dswift-scratch-path=$PWD/.build-plugin" "-Dcommand-scratch-path=$PWD/.build-command" -Dplugindir=)
[ "$prefix/share" != "${XDG_DATA_HOME:-$HOME/.local/share}" ] || options[-1]+=share/gstreamer-1.0/plugins
[ ! -e "$build/build.ninja" ] || options+=(--reconfigure)

step "Looking for what slitscan needs" meson setup "$build" "${options[@]}"
cores=$(nproc)
step "Building the plugins, which takes about $((4 / cores + 1)) minutes at first" \
  meson compile -C "$build" gstslitscan gstslitscangl
step "Building the command, which takes about $((10 / cores + 1)) minutes at first" meson compile -C "$build"
# Only now, so that a build that fails leaves what was there.
[ -z "$last" ] || [ "$last" = "$prefix" ] || remove
writer_of "$prefix"
step "Installing into $prefix" "${root[@]}" meson install --no-rebuild -C "$build"

# Lines to paste where the shell or GStreamer does not find it.
lines=()
[[ :$PATH: = *:$prefix/bin:* ]] || lines+=("export PATH=$(printf %q "$prefix/bin"):\"\$PATH\"")
plugin=$(grep '/libgstslitscan.so$' "$build/meson-logs/install-log.txt")
folder=$(dirname "$plugin")
env -u GST_PLUGIN_PATH -u GST_PLUGIN_PATH_1_0 gst-inspect-1.0 slitscan 2>/dev/null | grep -F "$plugin" >/dev/null ||
  lines+=("export GST_PLUGIN_PATH=$(printf %q "$folder")\"\${GST_PLUGIN_PATH:+:\$GST_PLUGIN_PATH}\"")
echo
if [ ${#lines[@]} -gt 0 ]; then
  echo "Installed. To have it found, paste this, and add it to ~/.profile:"
  printf '  %s\n' "${lines[@]}"
else
  echo "Installed."
fi
echo "To begin: slitscan live, or slitscan live $PWD/examples/footage/bigbuckbunny.mp4"
echo "To remove it: $PWD/meson-shim/install.sh --undo"
