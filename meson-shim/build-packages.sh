# The Debian packages that slitscan is built and packaged with. To be sourced: it lists them, and installs
# none.
#
#   plugin_packages    for the plugins, their tests and the packages themselves
#   command_packages   for the command as well: MIDI, windows, the phone page, strips and tempo
# shellcheck disable=SC2034
plugin_packages=(build-essential debhelper meson ninja-build pkg-config man-db
  libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev gstreamer1.0-tools gstreamer1.0-plugins-base)
command_packages=(ableton-link-dev librtmidi-dev libjack-jackd2-dev libsdl2-dev libsoup-3.0-dev libpng-dev
  libcairo2-dev libaubio-dev)
