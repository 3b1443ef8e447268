#!/usr/bin/env bash
# Checks the format of the code: Swift by swift-format, C by GNU indent with the options of GStreamer's
# gst-indent. Prints what differs and exits with 1 if anything does, or if a module imports Foundation, whose Unicode
# data are 37 MB; FoundationEssentials has none.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
swift format lint --strict --recursive Package.swift Sources Tests examples || status=1
! git grep -nE 'import (.* )?Foundation(Internationalization|Networking|XML)?\b' -- Sources ':!*.docc/*' || status=1

gst_indent=(
  indent --braces-on-if-line --case-brace-indentation0 --case-indentation2
  --braces-after-struct-decl-line --line-length80 --no-tabs --cuddle-else
  --dont-line-up-parentheses --continuation-indentation4 --honour-newlines --tab-size8
  --indent-level2 --leave-preprocessor-space --standard-output
)
while IFS= read -r file; do
  "${gst_indent[@]}" "$file" | diff -u --label "$file" --label "$file, indented" "$file" - ||
    status=1
done < <(git ls-files --cached --others --exclude-standard '*.c')
exit "$status"
