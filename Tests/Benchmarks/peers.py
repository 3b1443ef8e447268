#!/usr/bin/python3
"""Compares slitscan with other programs that make the same image: ffmpeg, frei0r's delaygrab, quarktv and NumPy.

Measures those that are installed against the plugin in a folder, each for the same image of the same size, format and
depth, on one thread. Each program runs with its effect and without, until its history is full and then for a second;
what counts is the difference, in processor time, which the other processes of the machine stretch less than the time
that passes. It takes some minutes.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time

# A ring of frames of three bytes a pixel, as scripts around OpenCV have them, and a gather through a radial map:
# the fastest one that we know of.
NUMPY = """
import sys
import numpy as np

way, width, height, depth = sys.argv[1], *map(int, sys.argv[2:])
frames = [np.random.default_rng(i).integers(0, 256, (height, width, 3), np.uint8) for i in range(6)]
y, x = np.mgrid[0:height, 0:width]
far = np.hypot(x - width / 2 + 0.5, y - height / 2 + 0.5)
delay = np.rint(far / np.hypot(width / 2, height / 2) * (depth - 1)).astype(np.int64)
ring = np.zeros((depth, height, width, 3), np.uint8)
older = np.arange(height * width).reshape(height, width) - delay * (height * width)
index = np.empty_like(older)
out = np.empty((height, width, 3), np.uint8)
n = 0
while True:
    head = n % depth
    if way == "effect":
        ring[head] = frames[n % 6]
        np.add(older, head * height * width, out=index)
        np.take(ring.reshape(-1, 3), index, axis=0, out=out, mode="wrap")
    n += 1
    print("frame=%d" % n, flush=True)
"""


def numpy(way, width, height, depth, _):
    return [sys.executable, "-c", NUMPY, way, str(width), str(height), str(depth)]


def gstreamer(element, width, height, _, video_format):
    # Of the patterns, one that is drawn anew for each frame, fast; still ones come as one buffer again and again,
    # which would stay in the processor's caches.
    caps = f"video/x-raw,format={video_format},width={width},height={height},framerate=30/1"
    line = f"-v videotestsrc pattern=smpte ! {caps} ! {element} ! fakesink sync=false silent=false"
    return ["gst-launch-1.0", *line.split()]


def ffmpeg(filters, width, height, *_):
    line = (
        "-nostdin -hide_banner -loglevel error -threads 1 -f rawvideo -pixel_format yuv420p "
        f"-video_size {width}x{height} -framerate 30 -i /dev/zero -filter_threads 1 -filter_complex_threads 1 "
        f"-filter_complex {filters} -progress pipe:1 -stats_period 0.01 -f null -"
    )
    return ["ffmpeg", *line.split()]


def delayed_strips(count, height):
    """A frame cut into strips of rows, the k-th delayed by k frames, put together again, as recipes on the web do it."""
    # Whole rows of chroma.
    tops = [index * height // count // 2 * 2 for index in range(count)] + [height]
    parts = [
        f"[in{k}]crop=iw:{tops[k + 1] - tops[k]}:0:{tops[k]},tpad=start={k}:start_mode=clone[out{k}]"
        for k in range(count)
    ]
    inputs, outputs = ("".join(f"[{pad}{k}]" for k in range(count)) for pad in ("in", "out"))
    return f"split={count}{inputs};{';'.join(parts)};{outputs}vstack=inputs={count}"


def peers(width, height, depth):
    """The name of each, its format and depth, its lines with and without the effect, and what slitscan does."""
    strips, planes, columns = min(depth, height // 2), min(depth, 64), width // 2
    # Two columns of a frame, as the chroma has only every other one.
    photo = f"crop=2:ih:iw/4*2:0,tile={columns}x1:overlap={columns - 1}:init_padding={columns - 1}"
    for name, video_format, frames, program, effect, nothing, slitscan in (
        (f"ffmpeg, {strips} strips", "I420", depth, ffmpeg, delayed_strips(strips, height), "null", "map=linear"),
        ("ffmpeg, strip photo", "I420", 1, ffmpeg, photo, "null", "mode=strip angle=90 slit-width=2"),
        # Rings two pixels wide; its 71 frames cannot be changed (QUEUEDEPTH in delaygrab.cpp).
        ("frei0r delaygrab", "BGRA", 71, gstreamer, "frei0r-filter-delaygrab", "identity", "map=radial"),
        ("quarktv", "RGBx", planes, gstreamer, f"quarktv planes={planes}", "identity", "map=random block-size=1"),
        ("NumPy take", "BGR", depth, numpy, "effect", "source", "map=radial"),
    ):
        lines = [program(what, width, height, frames, video_format) for what in (effect, nothing)]
        yield name, video_format, frames, lines, slitscan


def processor_time(process):
    """Of all its threads, in nanoseconds, by the clock whose number clock_getcpuclockid(3) gives for a process."""
    return time.clock_gettime_ns(~process.pid << 3 | 2)


def milliseconds(command, fill, seconds):
    """What a frame takes, measured from outside from the frame after `fill`. None where the program ends by itself."""
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except FileNotFoundError:
        return None
    count, start = 0, None
    for line in process.stdout:
        now = time.monotonic()
        if line.startswith("frame="):
            count = int(line.removeprefix("frame="))
        elif "last-message = chain" in line:
            count += 1
        else:
            continue
        if start is None and count >= fill:
            start = now, count, processor_time(process)
        elif start and count >= start[1] + 5 and now >= start[0] + seconds:
            used = processor_time(process) - start[2]
            break
    else:
        start = None
    # Not asked politely: that would be to wait until it has put its frames away.
    process.kill()
    process.wait()
    return start and used / (count - start[1]) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", default=".build-plugin/release", help="its folder, from gst/make-plugin.sh")
    parser.add_argument("--size", default="1920x1080", help="a multiple of 8 by a multiple of 2 (default: %(default)s)")
    parser.add_argument("--depth", type=int, default=120, help="frames of history (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="of each, in turns; medians count (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=1, help="of a run (default: %(default)s)")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    # NumPy's gathers use one thread; its libraries might not.
    plugins = f"{options.plugin}:{os.environ.get('GST_PLUGIN_PATH', '')}"
    os.environ |= {"GST_PLUGIN_PATH": plugins, "OMP_NUM_THREADS": "1"}
    print(f"{'peer':<24} {'slitscan':<33} {'format':<6} {'depth':>5} {'peer ms':>9} {'slitscan ms':>11} times as fast")
    for name, video_format, depth, theirs, slitscan in peers(width, height, options.depth):
        elements = f"slitscan threads=1 depth={depth} {slitscan}", "identity"
        ours = [gstreamer(element, width, height, depth, video_format) for element in elements]
        added = [], []
        for run in range(options.runs):
            # Each is first in every other run. Until histories are full, thinned out, and memory is used again.
            for kind in (0, 1) if run % 2 else (1, 0):
                times = [milliseconds(line, 2 * depth + 10, options.seconds) for line in (theirs, ours)[kind]]
                # A microsecond if it cannot be told from nothing.
                added[kind].append(None if None in times else max(times[0] - times[1], 0.001))
        if None in added[1]:
            sys.exit(f"slitscan does not run with the plugin in {options.plugin}: see gst/make-plugin.sh.")
        if None in added[0]:
            print(f"{name:<24} skipped: {theirs[0][0]} does not have it")
            continue
        peer, slit = map(statistics.median, added)
        ratio = statistics.median(peer / slit for peer, slit in zip(*added))
        line = f"{name:<24} {slitscan:<33} {video_format:<6} {depth:>5} {peer:>9.3f} {slit:>11.3f} {ratio:>13.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
