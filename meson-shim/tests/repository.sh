#!/usr/bin/env bash
# Tests that apt takes packages from a repository of make-repository.sh, and refuses one that was changed or signed by
# another key.
#
#   repository.sh DEB…
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'gpgconf --kill all; rm -rf "$work"' EXIT
export GNUPGHOME=$work/keys
mkdir -m 700 "$GNUPGHOME"
for name in ours theirs; do
  gpg --batch --quiet --passphrase '' --quick-generate-key "$name@example.org" ed25519 sign never
done
repository=$work/repository
meson-shim/make-repository.sh "$repository" ours@example.org "file://$repository" "$@"

# An apt of its own, which trusts one key.
mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/got"
sed "s|/etc/apt/keyrings/slitscan.asc|$work/key.asc|" "$repository/slitscan.sources" >"$work/slitscan.sources"
apt() {
  apt-get -o Dir::Etc::SourceList="$work/slitscan.sources" -o Dir::Etc::SourceParts="$work/none" \
    -o Dir::State::Lists="$work/apt/lists" \
    -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User=root "$@" >"$work/log" 2>&1
}
cp "$repository/slitscan.asc" "$work/key.asc"
apt update
for package in "$@"; do
  name=$(dpkg-deb --field "$package" Package)
  (cd "$work/got" && apt download "$name")
  cmp "$package" "$work/got"/"$name"_*.deb
done

gpg --armor --export theirs@example.org >"$work/key.asc"
! apt update --error-on=any || exit 1
grep 'NO_PUBKEY\|not signed' "$work/log" >/dev/null
cp "$repository/slitscan.asc" "$work/key.asc"
echo >>"$repository/dists/stable/main/binary-amd64/Packages"
rm -rf "$repository"/dists/stable/main/binary-amd64/Packages.gz "$work"/apt/lists/*
! apt update --error-on=any || exit 1
grep 'Hash Sum mismatch\|unexpected size' "$work/log" >/dev/null
