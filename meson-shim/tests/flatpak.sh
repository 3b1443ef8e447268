#!/usr/bin/env bash
# Tests the manifests for Flatpak without their runtimes: flatpak-builder reads them, that of the command names the
# current version and ID, and the commands of the extension leave plugins that load below the folder where the runtime
# mounts extensions.
set -euo pipefail
shim=$(realpath "$(dirname "$0")/..")
manifest=$shim/org.freedesktop.Platform.GStreamer.slitscan.yml
id=$(sed -n "s/^option('app-id'.* value : '\(.*\)',$/\1/p" "$shim/meson_options.txt")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && flatpak-builder --show-manifest "$shim/$id.yml" >command.json)
grep "\"id\" : \"$id\"" "$work/command.json" >/dev/null
grep "slitscan-$("$shim/version.sh").tar.xz" "$work/command.json" >/dev/null
mkdir "$work/build"
(cd "$work" && flatpak-builder --show-manifest "$manifest" >manifest.json)
python3 - "$work/manifest.json" "$(dirname "$manifest")" "$work" <<'END'
import json, os, shutil, subprocess, sys
manifest = json.load(open(sys.argv[1]))
prefix = manifest["build-options"]["prefix"]
assert prefix == "/usr/lib/extensions/gstreamer-1.0/" + manifest["id"].split(".")[-1], prefix
assert manifest["branch"] == manifest["runtime-version"]
(module,) = manifest["modules"]
for source in module["sources"]:
    shutil.copy(os.path.join(sys.argv[2], source["path"]), sys.argv[3] + "/build")
for command in module["build-commands"]:
    subprocess.run(command, shell=True, check=True, cwd=sys.argv[3] + "/build",
                   env=os.environ | {"FLATPAK_DEST": sys.argv[3] + prefix})
END
export GST_PLUGIN_PATH=$work/usr/lib/extensions/gstreamer-1.0 GST_REGISTRY=$work/registry.bin
for element in slitscan glslitscan; do
  gst-inspect-1.0 "$element" | grep -F "$GST_PLUGIN_PATH/slitscan/" >/dev/null
done
