#!/usr/bin/python3
"""Plays a show with all inputs at once, for a given time, and reports how it went.

    long-show.py PROGRAM [SECONDS] [--source SOURCE] [--size WxH] [--fps N] [--keep FOLDER]

PROGRAM is `slitscan`. Ten properties get a hundred values a second each by OSC; a control, pads and a clock
play by MIDI, keys in the terminal, faders by the remote's WebSocket; presets glide, recordings begin and
end, stills are taken, and in between comes what makes no sense. It fails where the show does, where a
frame was dropped while the machine was not busy, or where memory grows. Prints the curve of memory.

Wants of Debian: python3-websocket
"""

import argparse
import json
import os
import pty
import random
import re
import select
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import websocket

# Properties and how far they go; none that changes how much memory is needed.
FADERS = {
    "mix": (0, 1), "gain": (-4, 4), "offset": (-0.5, 0.5), "angle": (0, 360),
    "center-x": (0, 1), "center-y": (0, 1), "turns": (1, 5), "feedback": (0, 0.5),
    "columns": (2, 12), "rows": (2, 12),
}
KEYS = ["n", "N", "o", "u", "t", "\t", "+", "-", "b", "b", "?", "?", "\x1b[A", "\x1b[B", "1", "2", "3"]
# How often a value is sent to a property, a second.
RATE = 100


def message(address, types="", *values):
    """A message of OSC."""
    def text(word):
        data = word.encode() + b"\0"
        return data + b"\0" * (-len(data) % 4)
    data = text(address) + text("," + types)
    for kind, value in zip(types, values):
        data += text(value) if kind == "s" else struct.pack(">f" if kind == "f" else ">i", value)
    return data


class Show:
    """The program, with a terminal."""

    def __init__(self, program, folder, source, size, fps):
        self.fifo = os.path.join(folder, "midi")
        os.mkfifo(self.fifo)
        self.osc = free_port(socket.SOCK_DGRAM)
        self.page = free_port(socket.SOCK_STREAM)
        self.terminal, inside = pty.openpty()
        environment = dict(os.environ, TERM="xterm", SLITSCAN_CONFIG="", COLUMNS="100", LINES="40",
                           XDG_CONFIG_HOME=folder)
        command = [program, "live", source, "--output", "sink:fakesink sync=false",
                   "--folder", folder, "--osc", str(self.osc), "--midi", self.fifo, "--sound", "tone",
                   "--remote", "--remote-port", str(self.page), "--moves",
                   os.path.join(folder, "moves.txt")]
        if size:
            command += ["--size", size]
        if fps:
            command += ["--fps", str(fps)]
        self.process = subprocess.Popen(
            command, stdin=inside, stdout=inside, stderr=inside, env=environment, cwd=folder,
            start_new_session=True)
        os.close(inside)
        self.text = b""
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        while True:
            try:
                data = os.read(self.terminal, 65536)
            except OSError:
                return
            if not data:
                return
            self.text = (self.text + data)[-200_000:]

    def alive(self):
        return self.process.poll() is None

    def resident(self):
        """Megabytes in memory."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def screen(self):
        return re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", self.text).decode(errors="replace")

    def end(self):
        # A recording is completed when asked twice.
        os.write(self.terminal, b"qq")
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(5)


def free_port(kind):
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Hand(threading.Thread):
    """Something that plays until it is over; what goes wrong with it is kept."""

    def __init__(self, show, interval, play):
        super().__init__(daemon=True)
        self.show, self.interval, self.play = show, interval, play
        self.count, self.trouble = 0, None
        self.over = threading.Event()

    def run(self):
        due = time.monotonic()
        try:
            while not self.over.is_set() and self.show.alive():
                self.play(self.count)
                self.count += 1
                due += self.interval
                self.over.wait(max(0, due - time.monotonic()))
        except Exception as error:  # pylint: disable=broad-except
            self.trouble = error


def hands(show, dice):
    """Everybody who plays."""
    osc = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    osc.connect(("127.0.0.1", show.osc))

    def send(*words):
        try:
            osc.send(message(*words))
        except ConnectionRefusedError:
            # The show has just ended.
            pass

    def fade(count):
        for name, (low, high) in FADERS.items():
            place = 0.5 + 0.5 * random.Random(count // 50 + len(name)).random() * (count % 50) / 50
            send(f"/slitscan/{name}", "f", low + (high - low) * place)

    def nonsense(_):
        kind = dice.randrange(4)
        if kind == 0:
            osc.send(dice.randbytes(dice.randrange(1, 200)))
        elif kind == 1:
            send("/slitscan/no-such-thing", "f", 1.0)
        elif kind == 2:
            send("/slitscan/gain", "s", "loud")
        else:
            send("/slitscan/{mix,gain", "f", 0.5)

    def change(count):
        names = ["Vortex", "Ripples", "Time Warp Scan"]
        if count % 4 == 3:
            send("/slitscan/record")
        else:
            send("/slitscan/preset", "sf", names[count % len(names)], float(dice.choice([0, 2, 4])))
        if count % 10 == 9:
            send("/slitscan/snapshot")

    fifo = os.open(show.fifo, os.O_WRONLY)

    def midi(count):
        data = bytes([0xB0, 7, count % 128, 0xF8])
        if count % 20 == 0:
            data += bytes([0x90, dice.randrange(128), 100, 0x80, 40, 0])
        if count % 333 == 0:
            data += dice.randbytes(20)
        os.write(fifo, data)

    def keys(_):
        os.write(show.terminal, dice.choice(KEYS).encode())

    phones = {}

    def phone(count):
        key = count % 3
        if key in phones and count % 200 == 199:
            # It vanishes without a word.
            phones.pop(key).sock.close()
        if key not in phones:
            phones[key] = websocket.create_connection(
                f"ws://127.0.0.1:{show.page}/live", timeout=20,
                origin=f"http://127.0.0.1:{show.page}")
            phones[key].send(json.dumps({"look": True}))
        connection = phones[key]
        connection.send(json.dumps({"fade": ["mix", dice.random()]}))
        while select.select([connection.sock], [], [], 0)[0]:
            if isinstance(connection.recv(), bytes):
                connection.send(json.dumps({"seen": True}))

    return [
        Hand(show, 1 / RATE, fade), Hand(show, 0.05, nonsense), Hand(show, 5, change),
        Hand(show, 0.01, midi), Hand(show, 0.2, keys), Hand(show, 0.05, phone),
    ]


def median(numbers):
    ordered = sorted(numbers)
    return ordered[len(ordered) // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("seconds", nargs="?", type=float, default=60)
    parser.add_argument("--source", default="pattern:ball")
    parser.add_argument("--size", default="640x360")
    parser.add_argument("--fps", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    choice = parser.parse_args()
    dice = random.Random(choice.seed)
    # Programs that are started run in a folder of their own.
    program = os.path.abspath(choice.program)
    source = choice.source
    if os.path.exists(source) and not source.startswith("/dev/"):
        source = os.path.abspath(source)

    failures = []
    with tempfile.TemporaryDirectory(prefix="slitscan-show-") as folder:
        show = Show(program, folder, source, choice.size, choice.fps)
        end = time.monotonic() + 60
        while b"frames/s" not in show.text and show.alive() and time.monotonic() < end:
            time.sleep(0.05)
        players = hands(show, dice)
        for player in players:
            player.start()
        begin = time.monotonic()
        curve = []
        while show.alive() and time.monotonic() - begin < choice.seconds:
            time.sleep(min(1, choice.seconds / 60))
            if show.alive():
                curve.append((time.monotonic() - begin, show.resident(), show.threads(), show.files()))
        for player in players:
            player.over.set()
        for player in players:
            player.join(30)
            if player.trouble:
                failures.append(f"{player.play.__name__}: {player.trouble!r}")
        lived = show.alive()
        show.end()
        print("  seconds  resident MB  threads  files")
        for second, resident, threads, files in curve[::max(1, len(curve) // 20)]:
            print(f"  {second:7.0f}  {resident:11.1f}  {threads:7}  {files:5}")
        counts = ", ".join(f"{player.play.__name__} {player.count}" for player in players)
        print(f"moves: {counts}")
        recordings = [name for name in os.listdir(folder) if name.endswith(".mkv")]
        stills = [name for name in os.listdir(folder) if name.endswith(".png")]
        print(f"recordings: {len(recordings)}, stills: {len(stills)}")
        for name in recordings:
            probe = subprocess.run(
                ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0",
                 os.path.join(folder, name)], capture_output=True, text=True, check=False)
            if probe.returncode or probe.stderr:
                failures.append(f"{name} cannot be played: {probe.stderr.strip()}")
        if not lived or show.process.returncode:
            failures.append(f"the show ended with {show.process.returncode}:\n{show.screen()[-2000:]}")
        result = re.findall(r"(\d+) frames in ([0-9:]+), (\d+) dropped", show.screen())
        if not result:
            failures.append(f"no result was told:\n{show.screen()[-1000:]}")
        else:
            frames, length, dropped = result[-1]
            print(f"frames: {frames} in {length}, dropped: {dropped}")
        # What is used once is there to stay; after half of the show everything has been used.
        half = [entry for entry in curve if entry[0] > choice.seconds / 2]
        if len(half) >= 8:
            quarter = len(half) // 4
            before = median([entry[1] for entry in half[:quarter]])
            after = median([entry[1] for entry in half[-quarter:]])
            print(f"memory: {before:.1f} MB in the third quarter's first half, {after:.1f} MB at the end")
            if choice.seconds >= 300 and after > before * 1.05:
                failures.append(f"memory grows: {before:.1f} to {after:.1f} MB")
            if half[-1][3] > half[0][3] + 30:
                failures.append(f"files stay open: {half[0][3]} to {half[-1][3]}")
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
