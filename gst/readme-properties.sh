#!/usr/bin/env bash
# Writes the table of properties in gst/README.md from what the element says of itself.
#
#   gst/readme-properties.sh           rewrites the table
#   gst/readme-properties.sh --check   says whether it is up to date
#
# The plugin must be where GStreamer finds it (GST_PLUGIN_PATH).
set -euo pipefail
cd "$(dirname "$0")"

# gst-inspect prints, for each property: name and blurb; flags; type, range and default; and for
# choices, and for the fields of a structure, a line each.
table() {
  LC_ALL=C.UTF-8 gst-inspect-1.0 --no-colors slitscan | awk '
    function row() {
      if (name != "" && name !~ /^(name|parent|qos)$/)
        printf "| `%s` | %s | %s | %s | %s |\n", name, blurb, values, default_value, access
    }
    /^Element Properties:/ { inside = 1; next }
    /^Element (Actions|Signals)|^Element Action Signals/ { row(); name = ""; inside = 0 }
    !inside { next }
    /^  [a-z]/ {
      row()
      name = $1
      blurb = $0
      sub(/^[^:]*: /, "", blurb)
      values = default_value = kind = ""
      next
    }
    /flags:/ {
      access = /writable/ ? "" : "read only"
      next
    }
    /Default:/ {
      default_value = $0
      sub(/.*Default: */, "", default_value)
      sub(/ *$/, "", default_value)
      if ($0 ~ /^ *Enum/) sub(/^[0-9-]+, /, "", default_value)
      gsub(/"/, "", default_value)
      if ($0 ~ /^ *String/ && default_value == "null") default_value = "none"
      if ($0 ~ /Range:/) {
        values = $0
        sub(/.*Range: */, "", values)
        sub(/ *Default:.*/, "", values)
        gsub(/ +- +/, " … ", values)
      } else if ($0 ~ /Boolean/) values = "true, false"
      else if ($0 ~ /String/) values = "text"
      next
    }
    /Boxed pointer/ { kind = "structure"; next }
    /^ +\([0-9]+\): / { values = values (values == "" ? "" : ", ") $2 }
    kind == "structure" && /^ +[a-z-]+: / {
      sub(/:$/, "", $1)
      values = values (values == "" ? "" : ", ") $1
    }
    END { row() }
  '
}

start="<!-- properties, written by gst\/readme-properties.sh -->"
end='<!-- end of properties -->'
readme=$(mktemp)
trap 'rm -f "$readme"' EXIT
{
  sed "/^$start\$/q" README.md | sed 's/\r$//'
  echo
  echo '| property | what it does | values | default | |'
  echo '|---|---|---|---|---|'
  table
  echo
  sed -n "/^$end\$/,\$p" README.md
} >"$readme"

if [ "${1:-}" = --check ]; then
  diff -u README.md "$readme" || {
    echo "The properties in gst/README.md are not the element's. Run gst/readme-properties.sh." >&2
    exit 1
  }
else
  cat "$readme" >README.md
fi
