#!/usr/bin/env bash
# Prints the stacks of a program that does not end, and of all that it has started: each stack once, the
# rarest first.
#
#   Tests/Support/standstill.sh PID
set -euo pipefail
cd "$(dirname "$0")/../.."
source examples/install-packages.sh
install_packages gdb procps >&2

# A line for each thread: its name, and the functions it is in, the innermost first.
stacks() {
  gdb -nx -batch -p "$1" -ex 'set print frame-arguments none' -ex 'thread apply all backtrace 24' 2>&1 |
    awk '
      { last = $0 }
      /^Thread / { stack = match($0, /"[^"]*"/) ? substr($0, RSTART, RLENGTH) ":" : "a thread:" }
      /^#/ {
        sub(/^#[0-9]+ +(0x[0-9a-f]+ in )?/, "")
        sub(/ \(.*/, "")
        if ($0 !~ /futex|^syscall$|^clone3?$|^start_thread$|^\?*$/) stack = stack " " $0
      }
      /^$/ && stack { print stack; stack = ""; some = 1 }
      END { if (stack) print stack; else if (!some) print last }' |
    swift demangle --compact --simplified | sort | uniq -c | sort -n
}

# A process and those that it has started, at all removes.
family() {
  echo "$1"
  for child in $(pgrep -P "$1"); do family "$child"; done
}

for pid in $(family "$1"); do
  ps -o pid=,stat=,etime=,args= -p "$pid" | cut -c 1-160 || continue
  stacks "$pid" | head -25 | cut -c 1-400
done
