#!/usr/bin/env bash
# Runs a command on a machine of its own: what it keeps is in a new folder, which goes with it, and it meets no other
# program there. The registry is a copy of the one in GST_REGISTRY, if there is one. Where the system allows it, its
# ports are in a network of its own, which has nothing but this machine.
#
#   Tests/Support/own-machine.sh COMMAND…
set -euo pipefail
machine=$(mktemp -d /tmp/slitscan.XXXXXX)
trap 'rm -rf "$machine"' EXIT
mkdir -m 700 "$machine"/{home,data,config,cache,runtime,tmp}
[ ! -f "${GST_REGISTRY:-}" ] || cp "$GST_REGISTRY" "$machine/registry.bin"

# git and SwiftPM keep their settings, and what SwiftPM has fetched.
[ ! -f ~/.gitconfig ] || export GIT_CONFIG_GLOBAL=${GIT_CONFIG_GLOBAL:-$HOME/.gitconfig}
[ ! -d ~/.swiftpm ] || ln -s ~/.swiftpm "$machine/home"
fetched=${XDG_CACHE_HOME:-$HOME/.cache}/org.swift.swiftpm
[ ! -d "$fetched" ] || ln -s "$fetched" "$machine/cache"

export HOME=$machine/home TMPDIR=$machine/tmp GST_REGISTRY=$machine/registry.bin
export XDG_DATA_HOME=$machine/data XDG_CONFIG_HOME=$machine/config XDG_CACHE_HOME=$machine/cache
# Sockets of PipeWire, PulseAudio and Wayland are in XDG_RUNTIME_DIR.
export XDG_RUNTIME_DIR=$machine/runtime DBUS_SESSION_BUS_ADDRESS=disabled:
export JACK_DEFAULT_SERVER=${machine##*/} JACK_NO_AUDIO_RESERVATION=1
unset DISPLAY WAYLAND_DISPLAY XAUTHORITY PIPEWIRE_REMOTE PIPEWIRE_RUNTIME_DIR PULSE_SERVER SLITSCAN_CONFIG

# shellcheck disable=SC2016
alone=(--net sh -c 'ip link set lo up multicast on && ip route add 224.0.0.0/4 dev lo && exec "$@"' sh)
[ "$EUID" -eq 0 ] || alone=(--map-root-user "${alone[@]}")
if unshare "${alone[@]}" true 2>/dev/null; then unshare "${alone[@]}" "$@"; else "$@"; fi
