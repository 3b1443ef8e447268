#!/usr/bin/env bash
# Makes a signed repository for apt of Debian packages, or adds them to one.
#
#   meson-shim/make-repository.sh FOLDER KEY URL PACKAGE…
#
# FOLDER is the repository, to be served as it is at URL. KEY is a secret key that gpg has, by its fingerprint or address.
# A PACKAGE is a .deb, also one of debugging symbols, or a .dsc. Beside the packages stand the public key, slitscan.asc,
# and slitscan.sources, which tells apt of the repository.
set -euo pipefail
cd "$(dirname "$0")/.."
source examples/install-packages.sh
[ $# -ge 4 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
folder=$1 key=$2 url=$3
shift 3
install_packages reprepro gnupg >&2

mkdir -p "$folder/conf"
cat >"$folder/conf/distributions" <<END
Origin: slitscan
Label: slitscan
Codename: stable
Architectures: amd64 arm64 source
Components: main
Description: slit-scan video for GStreamer
SignWith: $key
END
cat >"$folder/slitscan.sources" <<END
Types: deb
URIs: $url
Suites: stable
Components: main
Signed-By: /etc/apt/keyrings/slitscan.asc
END
gpg --batch --yes --armor --output "$folder/slitscan.asc" --export "$key"
for package in "$@"; do
  case $package in
    *.deb) reprepro --silent --basedir "$folder" includedeb stable "$package" ;;
    *.dsc) reprepro --silent --basedir "$folder" includedsc stable "$package" ;;
    *) echo "make-repository.sh: $package is neither a .deb nor a .dsc." >&2 && exit 2 ;;
  esac
done
