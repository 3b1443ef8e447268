# The Debian packages that slitscan is built and packaged with, and that it plays with. To be sourced: it lists them, and
# installs none.
#
#   plugin_packages    for the plugins
#   command_packages   for the command as well: MIDI, windows, the phone page, strips and tempo
#   deb_packages       for their tests and the packages themselves
#   runtime_packages   what the command plays and records with
# shellcheck disable=SC2034
plugin_packages=(build-essential meson ninja-build pkg-config
  libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev gstreamer1.0-tools gstreamer1.0-plugins-base)
command_packages=(ableton-link-dev librtmidi-dev libjack-jackd2-dev libsdl2-dev libsoup-3.0-dev libpng-dev
  libcairo2-dev libaubio-dev)
deb_packages=(debhelper man-db appstream desktop-file-utils)
runtime_packages=(gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly gstreamer1.0-libav
  gstreamer1.0-gl gstreamer1.0-x)
