#!/usr/bin/env bash
# Tests that a program or library is hardened as Debian requires, does not contain the paths it was built in, and,
# where it is a program, exports nothing; symbols with a version are copies of a library's.
#
#   hardened.sh FILE FOLDER…
set -euo pipefail
export LC_ALL=C
file=$1
shift

fail() {
  echo "$file $1" >&2
  exit 1
}

header=$(readelf --file-header "$file")
grep -q 'Type: *DYN' <<<"$header" || fail "is not position-independent."
dynamic=$(readelf --dynamic "$file")
grep -q BIND_NOW <<<"$dynamic" || fail "is not linked with -z now."
segments=$(readelf --segments --wide "$file")
grep -q GNU_RELRO <<<"$segments" || fail "is not linked with -z relro."
! grep -qE 'GNU_STACK.* RWE ' <<<"$segments" || fail "has an executable stack."
imports=$(nm -D --undefined-only "$file")
grep -q ' __stack_chk_fail' <<<"$imports" || fail "is not compiled with -fstack-protector-strong."
grep -qE ' __mem[a-z]*_chk' <<<"$imports" || fail "is not compiled with _FORTIFY_SOURCE."
if [ "${file%.so}" = "$file" ]; then
  exports=$(nm -D --defined-only "$file" | sed -E '/@| (__bss_start|_edata|_end)$/d')
  [ -z "$exports" ] || fail "exports $(wc -l <<<"$exports") symbols; see meson-shim/swift-build.py."
fi

for folder in "$@"; do
  ! strings "$file" | grep -F -- "$folder/" || fail "names the folder $folder; see gst/make-plugin.sh."
done
