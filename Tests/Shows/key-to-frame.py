#!/usr/bin/python3
"""Measures the time from a key pressed in the terminal of a show to the changed frame.

    key-to-frame.py PROGRAM [PRESSES] [--fps N]

PROGRAM is `slitscan`. The frames come out of a pipe, raw, as its sink gets them. Fails where more than one
frame that is not changed yet comes after a press. Prints milliseconds and frames.
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


def drain(terminal):
    """Reads what the screen shows."""
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass


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
    frames.wait(lambda seen: len(seen) > choice.fps)

    times, waits = [], []
    is_black = False
    for number in range(choice.presses):
        # Each press at another place between two frames.
        time.sleep(1 / choice.fps * (3 + (number * 7 % 10) / 10))
        with frames.news:
            before = len(frames.seen)
            moment = time.monotonic()
            os.write(terminal, b"b")
        is_black = not is_black
        frames.wait(lambda seen: any(black == is_black for _, black in seen[before:]))
        later = frames.seen[before:]
        index = next(i for i, (_, black) in enumerate(later) if black == is_black)
        waits.append(index)
        times.append((later[index][0] - moment) * 1000)
    os.write(terminal, b"q")
    code = show.wait(60)
    times.sort()
    print(f"{choice.presses} presses at {choice.fps} frames a second: "
          f"median {times[len(times) // 2]:.1f} ms, most {times[-1]:.1f} ms; "
          f"unchanged frames after a press: most {max(waits)}, all {sum(waits)}")
    if code or max(waits) > 1:
        print(f"FAILED: the show ended with {code}, or a key was late", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
