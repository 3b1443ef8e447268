#!/usr/bin/env bash
# Tests that the command runs, and that its manual page and shell completions are installed where they are
# found.
#
#   command.sh COMMAND MANUAL COMPLETION…
set -euo pipefail
export LC_ALL=C.UTF-8

"$1" --help | grep 'USAGE: slitscan' >/dev/null
man --warnings -l "$2" 2>&1 >/dev/null | (! grep .)
shift 2
for completion in "$@"; do
  grep -q slitscan "$completion"
  case $completion in
    */slitscan) bash -n "$completion" ;;
    */_slitscan) ! command -v zsh >/dev/null || zsh -n "$completion" ;;
    *.fish) ! command -v fish >/dev/null || fish -n "$completion" ;;
  esac
done
