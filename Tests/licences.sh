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
for name in footage pictures; do
  grep -qE "^(Files:|      ) examples/$name/\*$" meson-shim/debian/copyright ||
    miss "meson-shim/debian/copyright does not say whose examples/$name is."
done
while IFS= read -r licence; do
  # Where its text follows, not where it is named.
  grep -xA 1 "License: ${licence// /-}" meson-shim/debian/copyright | grep -q '^ ' ||
    miss "meson-shim/debian/copyright does not have the text of $licence."
done < <(grep -oE 'CC BY [0-9]+\.[0-9]+' examples/footage/CREDITS.md | sort -u)

# The packages that Package.swift names, and those they name, are in what people install.
swift package --scratch-path .build-tests resolve >/dev/null 2>&1
packages=$(swift package --scratch-path .build-tests show-dependencies --format flatlist 2>/dev/null | sort -u)
[ -n "$packages" ] || miss "There are no packages to look at."
for package in $packages; do
  grep -qiw "$package" meson-shim/debian/copyright ||
    miss "meson-shim/debian/copyright does not name $package."
done
[ "$failures" -eq 0 ]
