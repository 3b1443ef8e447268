#!/usr/bin/env bash
# Checks that every file has its licence: sources in C, what comes from elsewhere, what packages contain.
set -euo pipefail
cd "$(dirname "$0")/.."
failures=0
miss() {
  echo "$1" >&2
  failures=$((failures + 1))
}

head -1 LICENSE | grep -qx 'Mozilla Public License Version 2.0' || miss "LICENSE is not the MPL 2.0."
while IFS= read -r file; do
  head -3 "$file" | grep -q 'Mozilla Public' || miss "$file does not begin with its licence."
done < <(git ls-files '*.c' '*.cpp' '*.h')

# What was filmed by others.
for file in examples/footage/*; do
  name=$(basename "$file")
  [ "$name" = CREDITS.md ] || grep -qE "^$name: .*(CC BY|MPL)" examples/footage/CREDITS.md ||
    miss "examples/footage/CREDITS.md does not say whose $name is."
done

# The packages that Package.swift names, and those they name, are in what people install.
swift package --scratch-path .build-tests resolve >/dev/null 2>&1
packages=$(swift package --scratch-path .build-tests show-dependencies --format flatlist 2>/dev/null | sort -u)
[ -n "$packages" ] || miss "There are no packages to look at."
for package in $packages; do
  grep -qiw "$package" meson-shim/debian/copyright ||
    miss "meson-shim/debian/copyright does not name $package."
done
[ "$failures" -eq 0 ]
