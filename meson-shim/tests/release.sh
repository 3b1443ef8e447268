#!/usr/bin/env bash
# Tests that make-release.sh refuses what is not a release, and that a Swift package can depend on a release's
# tag. Works in a clone of what is committed.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet --no-tags . "$work/slitscan"
cd "$work/slitscan"
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.org
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.org
version=$(meson-shim/version.sh)

# Gives the first section of CHANGELOG.md another heading.
head_section() { sed -i "0,/^## .*/s//## $1/" CHANGELOG.md; }

# Expects make-release.sh to refuse with a message, then takes back what was changed.
refuses() {
  local said
  if said=$(meson-shim/make-release.sh --check 2>&1); then
    echo "make-release.sh does not say: $1" >&2
    exit 1
  elif ! grep -qF -- "$1" <<<"$said"; then
    echo "make-release.sh says \"$said\", not \"$1\"." >&2
    exit 1
  fi
  git reset --quiet --hard released
}

head_section "$version, 2026-11-22"
git commit --quiet --all --allow-empty --message 'Release'
git branch --quiet released
meson-shim/make-release.sh --check

echo "// changed" >>Package.swift
refuses 'not committed'
touch new-file
refuses 'new-file'
rm new-file
head_section "$version, unreleased"
git commit --quiet --all --message 'Not yet'
refuses 'write the date'
head_section '99.0.0, 2026-11-22'
git commit --quiet --all --message 'Another version in the changelog'
refuses 'versions differ'
sed -i 's/SLITSCAN_VERSION ".*"/SLITSCAN_VERSION "99.0.0"/' gst/slitscan/include/slitscan-plugin.h
git commit --quiet --all --message 'Another version in the header'
refuses 'versions differ'
sed -i '/^- /d' CHANGELOG.md
git commit --quiet --all --message 'Nothing changed'
refuses 'lists no change'
git tag "$version"
meson-shim/make-release.sh --check
git commit --quiet --allow-empty --message 'After the release'
refuses "a tag $version already"

# As apps would: by URL and version. Nothing else is fetched, and SwiftPM warns of nothing, not even where no library is
# installed: it looks for them where pkg-config says.
mkdir "$work/programs"
printf '#!/bin/sh\necho /nonexistent\n' >"$work/programs/pkg-config"
chmod +x "$work/programs/pkg-config"

# Builds a program, which is standard input, that depends on a product.
depends_on() {
  local product=$1 app=$work/uses-$1
  mkdir -p "$app/Sources/App"
  cat >"$app/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "App",
  dependencies: [.package(url: "file://$work/slitscan", from: "$version", traits: [])],
  targets: [
    .executableTarget(
      name: "App", dependencies: [.product(name: "$product", package: "slitscan")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ])
END
  cat >"$app/Sources/App/main.swift"
  PATH=$work/programs:$PATH swift build --package-path "$app" --cache-path "$work/cache" \
    --disable-index-store -Xswiftc -use-ld=lld >"$app/log" 2>&1 ||
    { cat "$app/log" && return 1; }
  ! grep 'warning:' "$app/log" || return 1
  [ "$(grep -c '"identity"' "$app/Package.resolved")" -eq 1 ]
  grep -q "\"version\" : \"$version\"" "$app/Package.resolved"
}
depends_on SlitScan <<'END'
import SlitScan

print(try SlitScanner().configure(input: .rgba(width: 4, height: 3), settings: ScanSettings()))
END
"$work/uses-SlitScan/.build/debug/App" | grep -q 'width: 4'
depends_on GStreamer <<'END'
import GStreamer

let pipeline = try Pipeline("videotestsrc num-buffers=3 ! fakesink name=out")
try await pipeline.play()
try await pipeline.waitForEnd()
print(pipeline.state)
END
"$work/uses-GStreamer/.build/debug/App" | grep -q playing
