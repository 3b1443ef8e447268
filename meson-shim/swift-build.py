#!/usr/bin/env python3
"""Builds one product of the Swift package for meson, and tells ninja what it was made from.

SwiftPM knows best what has changed and is quick to say so, but ninja has to know when to ask: the
depfile names the manifest and every file of Sources and gst, and the folders, which change when a file
comes or goes. The output is touched only if it is another
than before, so nothing that is made from it is made again in vain.
"""

import argparse
import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path


def run(command, environment):
    """Runs a program and returns what it prints; its complaints go where ours go."""
    result = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.stderr.write(result.stdout)
        sys.exit(result.returncode)
    return result.stdout


def build_plugin(options):
    """The flags of the plugin are those of gst/make-plugin.sh."""
    command = [
        options.source / "gst/make-plugin.sh",
        "--swift",
        options.swift,
        "--scratch-path",
        options.scratch,
    ]
    if options.product == "gstslitscangl":
        command.append("--gl")
    if not options.strip:
        command.append("--keep-symbols")
    return Path(run(command, os.environ).strip())


def build_command(options):
    """With Swift's runtime inside, so that it runs where there is no Swift, and with RtMidi where there is an archive of
    it: its shared library has another name in each release of Debian."""
    environment = dict(os.environ)
    if os.path.isabs(run(["cc", "-print-file-name=librtmidi.a"], os.environ)):
        environment["SLITSCAN_RTMIDI_ARCHIVE"] = "1"
    command = [options.swift, "build", "--quiet", "-c", "release", "--product", options.product]
    command += ["--package-path", options.source, "--scratch-path", options.scratch]
    command += ["--static-swift-stdlib", "--disable-local-rpath"]
    command += ["--toolset", options.source / "gst/toolset.json"]
    for prefix in f"{options.scratch}/=build/", f"{options.source}/=":
        command += ["-Xcc", f"-ffile-prefix-map={prefix}"]
        command += ["-Xswiftc", "-file-prefix-map", "-Xswiftc", prefix]
    command += ["-Xswiftc", "-use-ld=lld", "-Xlinker", "--gc-sections"]
    # Debuggers would look for the compiler's cache of C modules.
    command += ["-Xswiftc", "-Xfrontend", "-Xswiftc", "-no-clang-module-breadcrumbs"]
    # Swift exports every symbol of a program that it links statically.
    command += ["-Xlinker", "--no-export-dynamic"]
    if options.strip:
        command += ["-Xlinker", "--strip-all"]
    sys.stderr.write(run(command, environment))
    return options.scratch / "release" / options.product


def sources(options):
    """Every file and folder that a product may be made from."""
    found = {options.source / "Package.swift"}
    for folder in options.source / "Sources", options.source / "gst":
        found |= {folder, *folder.rglob("*")}
    return sorted(found)


def escaped(path):
    return str(path).replace(" ", "\\ ").replace("#", "\\#").replace("$", "$$")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True, help="top of the package")
    parser.add_argument("--swift", required=True)
    parser.add_argument("--scratch", type=Path, required=True, help="SwiftPM's folder")
    parser.add_argument("--product", choices=["gstslitscan", "gstslitscangl", "slitscan"], required=True)
    parser.add_argument("--strip", action="store_true")
    parser.add_argument("--depfile", type=Path, required=True)
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    options.source = options.source.resolve()
    options.scratch = options.scratch.absolute()

    product = (build_command if options.product == "slitscan" else build_plugin)(options)
    if not (options.output.exists() and filecmp.cmp(product, options.output, shallow=False)):
        shutil.copyfile(product, options.output)
        options.output.chmod(0o755)
    dependencies = " \\\n  ".join(escaped(path) for path in sources(options))
    options.depfile.write_text(f"{escaped(options.output)}: {dependencies}\n")


main()
