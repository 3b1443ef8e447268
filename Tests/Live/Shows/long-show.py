#!/usr/bin/python3
"""Plays a show with all inputs at once, for a given time, and reports how it went.

    long-show.py PROGRAM [SECONDS] [--source SOURCE] [--size WxH] [--fps N]

PROGRAM is `slitscan`. Ten properties get a hundred values a second each by OSC; a control, pads and a clock
play by MIDI, keys in the terminal, faders by the remote's WebSocket; presets glide, looks crossfade, four
sources follow each other, one of which is taken away and put back, hands draw, map images change, recordings
begin and end, stills are taken, and in between comes what makes no sense. A full screen shows it, which is
photographed twice a second and compared with the recordings. It fails where the show does, where the screen
shows something else than what is recorded, or where memory grows. Prints the curve of memory.

Wants of Debian: ffmpeg, openbox, python3-numpy, python3-websocket, xvfb
"""

import argparse
import json
import os
import pty
import random
import re
import select
import shlex
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import numpy
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
# The seconds from one preset, recording or still to the next.
CHANGE = 5


def message(address, types="", *values):
    """A message of OSC."""
    def text(word):
        data = word.encode() + b"\0"
        return data + b"\0" * (-len(data) % 4)
    data = text(address) + text("," + types)
    for kind, value in zip(types, values):
        data += text(value) if kind == "s" else struct.pack(">f" if kind == "f" else ">i", value)
    return data


# The size to which frames are brought to be compared.
SMALL = (64, 36)


def decoded(arguments):
    """Frames as ffmpeg reads them: small, in RGB."""
    command = ["ffmpeg", "-v", "error", *arguments, "-vf", f"format=rgb24,scale={SMALL[0]}:{SMALL[1]}:flags=area",
               "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]
    # pylint: disable-next=consider-using-with
    return subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)


def frames_of(process):
    """The frames as they come, as arrays."""
    length = 3 * SMALL[0] * SMALL[1]
    while len(data := process.stdout.read(length)) == length:
        yield numpy.frombuffer(data, numpy.uint8).astype(numpy.int16)


class Screen:
    """A display with a window manager, and photographs of it with their times."""

    def __init__(self, size, folder):
        self.size = size
        read, write = os.pipe()
        # pylint: disable-next=consider-using-with
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-noreset", "-nolisten", "tcp"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read, encoding="ascii") as answer:
            self.display = ":" + answer.readline().strip()
        # pylint: disable-next=consider-using-with
        self.manager = subprocess.Popen(
            ["openbox", "--sm-disable", "--startup", f"touch {shlex.quote(folder)}/ready"],
            env=dict(os.environ, DISPLAY=self.display), stderr=subprocess.DEVNULL)
        # It would give a window that is there before it a frame.
        end = time.monotonic() + 60
        while not os.path.exists(folder + "/ready") and time.monotonic() < end:
            time.sleep(0.05)
        self.photographs = []
        self.camera = None

    def watch(self):
        """Takes photographs from now on."""
        self.camera = decoded(["-f", "x11grab", "-draw_mouse", "0", "-framerate", "2",
                               "-video_size", self.size, "-i", self.display])
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        for photograph in frames_of(self.camera):
            self.photographs.append((time.time(), photograph))

    def end(self):
        for process in [self.camera, self.manager, self.server]:
            if process:
                process.terminate()
                process.wait()

    def compare(self, path, created):
        """How far photographs are from the frames of a recording at their times, and from those five seconds
        away: two numbers of 0 to 255 and how many photographs there are; None where these are too few."""
        recorded = numpy.array(list(frames_of(decoded(["-i", path, "-fps_mode", "passthrough"]))))
        times = [float(line) for line in subprocess.run(
            ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of",
             "csv=p=0", path], capture_output=True, text=True, check=False).stdout.split()]
        count = min(len(recorded), len(times))
        if count < 60:
            return None
        recorded, times = recorded[:count], numpy.array(sorted(times)[:count])
        # The file is created before its first frame, and completed after its last one: by how much, and how
        # late the screen is, is the same for all of them.
        latest = os.stat(path).st_mtime - times[-1]
        earliest = min(created, latest)

        def seen(begin):
            return [(moment - begin, photograph) for moment, photograph in self.photographs
                    # Black is shown and not recorded.
                    if times[0] + 2 < moment - begin < times[-1] - 2 and photograph.max() > 40]

        def distance(moment, photograph):
            near = recorded[abs(times - moment) < 0.25]
            return abs(near - photograph).mean(axis=1).min() if len(near) else 255

        def distances(begin, shift=0):
            return [distance(moment + shift, photograph) for moment, photograph in seen(begin)]

        counts = {begin: len(seen(begin)) for begin in numpy.arange(earliest - 2, latest + 2.05, 0.1)}
        most = max(counts.values())
        if most < 3:
            return None
        begin = min((begin for begin, count in counts.items() if count >= max(3, most / 2)),
                    key=lambda begin: median(distances(begin)))
        near = sorted(distances(begin))
        others = distances(begin, 5 if times[-1] > 15 else -3)
        return near[len(near) * 9 // 10], median(others), len(near)


class Show:
    """The program, with a terminal."""

    def __init__(self, program, folder, sources, screen, size, fps):
        self.fifo = os.path.join(folder, "midi")
        os.mkfifo(self.fifo)
        self.osc = free_port(socket.SOCK_DGRAM)
        self.page = free_port(socket.SOCK_STREAM)
        self.terminal, inside = pty.openpty()
        environment = dict(os.environ, TERM="xterm", SLITSCAN_CONFIG="", COLUMNS="100", LINES="40",
                           XDG_CONFIG_HOME=folder, DISPLAY=screen.display)
        command = [program, "live", *sources, "--output", "fullscreen", "--maps", folder + "/maps",
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
        return re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"\n", self.text).decode(errors="replace")

    def end(self):
        # A recording is completed when asked twice.
        if self.alive():
            os.write(self.terminal, b"qq")
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(5)


def free_port(kind):
    """A port below those that the system gives to other programs before the show takes it."""
    while True:
        with socket.socket(socket.AF_INET, kind) as probe:
            try:
                probe.bind(("127.0.0.1", random.randrange(20000, 32000)))
                return probe.getsockname()[1]
            except OSError:
                pass


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
                # What was missed while the machine stood still is not played all at once.
                due = max(due + self.interval, time.monotonic() - 1)
                self.over.wait(max(0, due - time.monotonic()))
        except Exception as error:  # pylint: disable=broad-except
            self.trouble = error


def hands(show, dice):
    """The threads of all inputs."""
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

    def play(count):
        kind = count % 12
        if kind < 3:
            send("/slitscan/source", "if", 1 + dice.randrange(4), float(dice.choice([0, 2, 8])))
        elif kind < 5:
            places = [dice.random() for _ in range(8)]
            send("/slitscan/draw", "fffs" + "f" * 8, dice.random(), 0.3, 0.8, dice.choice(["none", "xy"]), *places)
        elif kind == 5:
            send("/slitscan/deck", "s", dice.choice("ab"))
        elif kind == 6:
            send("/slitscan/crossfade", "f", dice.random())
        else:
            send("/slitscan/" + ["next-map", "next-clip", "undo", "draw-clear", "follow-sound"][kind - 7])

    def unplug(count):
        if count % 2 == 0:
            os.rename(show.guest, show.guest + ".away")
        else:
            os.rename(show.guest + ".away", show.guest)

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

    phones, spoken = {}, {}

    def phone(count):
        key = count % 3
        if key in phones and count % 200 == 199:
            # It vanishes without a word.
            phones.pop(key).sock.close()
        if key not in phones:
            phones[key] = websocket.create_connection(
                f"ws://127.0.0.1:{show.page}/live", timeout=60,
                origin=f"http://127.0.0.1:{show.page}")
            phones[key].send(json.dumps({"look": True}))
            spoken[key] = time.monotonic()
        silence = time.monotonic() - spoken[key]
        try:
            talk(phones[key])
        except (websocket.WebSocketConnectionClosedException, ConnectionError):
            # A client that was silent for 20 seconds is disconnected, and connects again.
            if silence < 15:
                raise
            phones.pop(key).close()
        spoken[key] = time.monotonic()

    def talk(connection):
        connection.send(f"fade mix {dice.random()}")
        while select.select([connection.sock], [], [], 0)[0]:
            if isinstance(connection.recv(), bytes):
                connection.send(json.dumps({"seen": True}))

    return [
        Hand(show, 1 / RATE, fade), Hand(show, 0.05, nonsense), Hand(show, CHANGE, change),
        Hand(show, 0.01, midi), Hand(show, 0.2, keys), Hand(show, 0.05, phone),
        Hand(show, 1.7, play), Hand(show, 7, unplug),
    ]


def median(numbers):
    ordered = sorted(numbers)
    return ordered[len(ordered) // 2]


def prepare(folder, source):
    """The sources of a show, and its maps."""
    def clip(name, pattern):
        path = os.path.join(folder, name)
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"{pattern}=size=320x180:rate=30",
                        "-t", "5", "-pix_fmt", "yuv420p", path], check=True)
        return path
    os.mkdir(folder + "/clips")
    os.mkdir(folder + "/maps")
    clip("clips/1.mp4", "testsrc2")
    clip("clips/2.mp4", "mandelbrot")
    for number in range(3):
        rows = bytes((x * (number + 1) * 4 + y * number) % 256 for y in range(36) for x in range(64))
        with open(f"{folder}/maps/{number}.pgm", "wb") as file:
            file.write(b"P5 64 36 255\n" + rows)
    return [source, folder + "/clips", clip("guest.mkv", "testsrc"), "pattern:smpte"]


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
        screen = Screen(choice.size, folder)
        sources = prepare(folder, source)
        show = Show(program, folder, sources, screen, choice.size, choice.fps)
        show.guest = sources[2]
        end = time.monotonic() + 60
        while b"frames/s" not in show.text and show.alive() and time.monotonic() < end:
            time.sleep(0.05)
        if b"frames/s" not in show.text:
            print(f"FAILED: the show did not begin:\n{show.screen()[-2000:]}", file=sys.stderr)
            show.end()
            screen.end()
            return 1
        screen.watch()
        players = hands(show, dice)
        changes = next(player for player in players if player.play.__name__ == "change")
        for player in players:
            player.start()
        begin = time.monotonic()
        curve, created = [], {}
        # Longer where the machine stood still meanwhile.
        while show.alive() and (time.monotonic() - begin < choice.seconds
                                or changes.is_alive() and changes.count * CHANGE < choice.seconds):
            time.sleep(min(1, choice.seconds / 60))
            for name in os.listdir(folder):
                created.setdefault(name, time.time())
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
        screen.end()
        print("  seconds  resident MB  threads  files")
        for second, resident, threads, files in curve[::max(1, len(curve) // 20)]:
            print(f"  {second:7.0f}  {resident:11.1f}  {threads:7}  {files:5}")
        counts = ", ".join(f"{player.play.__name__} {player.count}" for player in players)
        print(f"moves: {counts}")
        recordings = [name for name in os.listdir(folder) if name.endswith(".mkv")]
        stills = [name for name in os.listdir(folder) if name.endswith(".png")]
        print(f"recordings: {len(recordings)}, stills: {len(stills)}")
        compared = []
        for name in recordings:
            probe = subprocess.run(
                ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0",
                 os.path.join(folder, name)], capture_output=True, text=True, check=False)
            if probe.returncode or probe.stderr:
                failures.append(f"{name} cannot be played: {probe.stderr.strip()}")
            result = screen.compare(os.path.join(folder, name), created.get(name, time.time()))
            if result:
                compared.append(result)
                print(f"{name}: {result[2]} photographs, 9 of 10 within {result[0]:.1f} of the recording, "
                      f"{result[1]:.1f} at another time")
                if result[0] > 8:
                    failures.append(f"{name}: the screen showed something else")
        if not compared:
            failures.append("no photograph could be compared with a recording")
        # The video of a single recording may stand still.
        elif len(compared) > 4 and median([away for _, away, _ in compared]) < 2 * median(
                [near for near, _, _ in compared]):
            failures.append("frames of different times cannot be told apart")
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
