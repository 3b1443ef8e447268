#!/usr/bin/env bash
# Runs a command, and ends it if it stands still: after a number of seconds, prints the stacks of the command and of
# all that it has started, each stack once, the rarest first, and kills them.
#
#   Tests/Support/timeout-with-stacks.sh SECONDS COMMAND…
#
# Exits as the command does, with 137 if it was killed. Seconds in which the command is stopped do not count.
set -euo pipefail

# A line for each thread: its name, and the functions it is in, the innermost first.
stacks() {
  timeout 120 gdb -nx -batch -p "$1" -ex 'set print frame-arguments none' \
    -ex 'thread apply all backtrace 24' 2>&1 |
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

# Ends a process that still runs when its time is over.
watch() {
  local pid processes second
  for ((second = 0; second < $1; second++)); do
    sleep 1
    kill -0 "$2" 2>/dev/null || return 0
    while grep -q '^State:.*stopped' "/proc/$2/status" 2>/dev/null; do sleep 1; done
  done
  processes=$(family "$2")
  echo "This stood still after $1 seconds. Its processes and their threads:"
  for pid in $processes; do
    ps -o pid=,stat=,etime=,args= -p "$pid" | cut -c 1-160 || continue
    stacks "$pid" | head -25 | cut -c 1-400 || true
  done
  # shellcheck disable=SC2086
  kill -KILL $processes 2>/dev/null || true
}

seconds=$1
shift
"$@" <&0 &
command=$!
watch "$seconds" "$command" &
status=0
wait "$command" || status=$?
# Where the watcher has ended the command, it has something left to say.
[ "$status" -eq 137 ] || kill $! 2>/dev/null || true
wait $! 2>/dev/null || true
exit "$status"
