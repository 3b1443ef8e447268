# Installs missing Debian packages. To be sourced.
#
#   install_packages NAME…
#
# Says what it installs, uses sudo where it must, and says what to do where it can do neither. Waits up to a
# quarter of an hour for others that install something.
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
  local log end=$((SECONDS + 900)) waits=false
  log=$(mktemp)
  until {
    "${root[@]}" env LC_ALL=C.UTF-8 apt-get update -qq &&
      "${root[@]}" env LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends "${missing[@]}"
  } >"$log" 2>&1; do
    # As when the machine has just started, and upgrades itself.
    if ! grep -q 'Could not get lock' "$log" || [ "$SECONDS" -ge "$end" ]; then
      cat "$log" >&2
      rm -f "$log"
      echo "The packages above could not be installed; what apt-get says of it stands before this." >&2
      return 1
    fi
    "$waits" || echo "Waiting until another program has installed its packages…"
    waits=true
    sleep 2
  done
  rm -f "$log"
}
