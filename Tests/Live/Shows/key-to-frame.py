#!/usr/bin/python3
"""Measures the time from a key pressed in the terminal of a show to the changed frame.

    key-to-frame.py PROGRAM [PRESSES] [--fps N]

PROGRAM is `slitscan`. The frames come out of a pipe, raw, as its sink gets them. Fails where more than one
frame that is not changed yet comes after a press. A press does not count where the machine stood still about
it: frames that are late come all at once. Prints milliseconds and frames.
"""

import argparse
import os
import pty
import subprocess
import sys
import threading
import time

WIDTH, HEIGHT = 320, 180


class Frames(threading.Thread):
    """The frames that come out of the pipe: the moment of each, and whether it is black."""

    def __init__(self, file):
        super().__init__(daemon=True)
        self.file = file
        self.seen = []
        self.news = threading.Condition()

    def run(self):
        while True:
            frame = self.file.read(WIDTH * HEIGHT)
            if len(frame) < WIDTH * HEIGHT:
                return
            with self.news:
                self.seen.append((time.monotonic(), max(frame) < 32))
                self.news.notify_all()

    def wait(self, condition):
        with self.news:
            if not self.news.wait_for(lambda: condition(self.seen), 60):
                raise SystemExit("FAILED: no such frame in a minute")


class Pulse(threading.Thread):
    """The longest time for which this program did not run, though it wanted to."""

    def __init__(self):
        super().__init__(daemon=True)
        self.last = time.monotonic()
        self.longest = 0.0

    def run(self):
        while True:
            time.sleep(0.01)
            self.longest = self.standstill()
            self.last = time.monotonic()

    def standstill(self):
        return max(self.longest, time.monotonic() - self.last)


def drain(terminal):
    """Reads what the screen shows."""
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass


def measure(terminal, frames, pulse, choice):
    """Presses a key again and again: the milliseconds and the unchanged frames after each press that counts,
    and how many do not."""
    interval = 1 / choice.fps
    times, waits, missed = [], [], 0
    is_black = False
    frames.wait(lambda seen: len(seen) > choice.fps)
    while len(waits) < choice.presses:
        pulse.longest = 0.0
        # Each press at another place between two frames, of which the first is not late itself.
        count = len(frames.seen) + 2
        frames.wait(lambda seen: len(seen) > count and seen[-1][0] - seen[-2][0] > interval / 2)
        time.sleep(interval * ((len(waits) + missed) * 7 % 10) / 10)
        with frames.news:
            before = len(frames.seen)
            moment = time.monotonic()
            os.write(terminal, b"b")
        is_black = not is_black
        frames.wait(lambda seen: any(black == is_black for _, black in seen[before:]))
        if pulse.standstill() > interval / 2:
            missed += 1
            if missed > 10 * choice.presses:
                raise SystemExit("FAILED: the machine stands still again and again")
            continue
        later = frames.seen[before:]
        index = next(i for i, (_, black) in enumerate(later) if black == is_black)
        waits.append(index)
        times.append((later[index][0] - moment) * 1000)
    return times, waits, missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("presses", nargs="?", type=int, default=40)
    parser.add_argument("--fps", type=int, default=30)
    choice = parser.parse_args()
    reading, writing = os.pipe()
    terminal, inside = pty.openpty()
    # With sync=false a frame is written as soon as it is there.
    output = f"sink:videoconvert ! video/x-raw,format=GRAY8 ! fdsink fd={writing} sync=false"
    show = subprocess.Popen(
        [choice.program, "live", "pattern:smpte", "--size", f"{WIDTH}x{HEIGHT}", "--fps",
         str(choice.fps), "--output", output],
        stdin=inside, stdout=inside, stderr=inside, pass_fds=[writing], start_new_session=True,
        env=dict(os.environ, TERM="xterm", SLITSCAN_CONFIG=""))
    os.close(inside)
    os.close(writing)
    threading.Thread(target=drain, args=[terminal], daemon=True).start()
    frames = Frames(os.fdopen(reading, "rb"))
    frames.start()
    pulse = Pulse()
    pulse.start()
    try:
        times, waits, missed = measure(terminal, frames, pulse, choice)
        os.write(terminal, b"q")
        code = show.wait(60)
    finally:
        show.kill()
    times.sort()
    print(f"{choice.presses} presses at {choice.fps} frames a second: "
          f"median {times[len(times) // 2]:.1f} ms, most {times[-1]:.1f} ms; "
          f"unchanged frames after a press: most {max(waits)}, all {sum(waits)}; "
          f"presses that do not count: {missed}")
    if code or max(waits) > 1:
        print(f"FAILED: the show ended with {code}, or a key was late", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
