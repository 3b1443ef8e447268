# Installs missing Debian packages. To be sourced.
#
#   install_packages NAME…
#
# Says what it installs, uses sudo where it must, and says what to do where it can do neither.
install_packages() {
  local missing=() name
  for name in "$@"; do
    dpkg-query --show --showformat='${db:Status-Status}\n' "$name" 2>/dev/null |
      grep -qx installed || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  if ! command -v apt-get >/dev/null; then
    echo "These packages are missing, and there is no apt-get to install them: ${missing[*]}." \
      "Install what your system calls them, then run this again." >&2
    return 1
  fi
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "These packages are missing: ${missing[*]}." \
        "Run 'apt-get install ${missing[*]}' as root, then run this again." >&2
      return 1
    fi
    root=(sudo)
  fi
  echo "Installing: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! {
    "${root[@]}" apt-get update -qq &&
      "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends "${missing[@]}"
  } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "The packages above could not be installed; what apt-get says of it stands before this." >&2
    return 1
  fi
  rm -f "$log"
}
