"""Tests the remote's page in a headless Chromium: two phones, touched through the DevTools protocol.

    try-page.py PROGRAM [FOLDER]

Nothing is timed: everything is waited for, and fails where it does not come in a minute.
"""

import base64
import json
import math
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time

import websocket

PATIENCE = 60
CLIP = "examples/footage/bigbuckbunny.mp4"
# Every picture is another, and there is no end.
PATTERN = "pattern:snow"


def wait(what, condition):
    """Waits until something is so, and gives it back."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError(f"not so after {PATIENCE} s: {what}")


class Program:
    """A show, and what it says."""

    all = []

    def __init__(self, path, folder, bind="127.0.0.1", port=0, source=PATTERN):
        self.process = subprocess.Popen(
            [path, source, folder, bind, str(port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        Program.all.append(self)
        self.lines = []
        threading.Thread(target=self._read, daemon=True).start()
        self.port = int(self.hear("port "))
        self.code = self.hear("code ")

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def hear(self, start, since=0, fits=lambda rest: True):
        """The rest of the first line that begins so and fits, of those after some."""
        def look():
            if self.process.poll() is not None:
                raise AssertionError(f"the program ended: {self.lines[-3:]}")
            for line in self.lines[since:]:
                if line.startswith(start) and fits(line[len(start):]):
                    return (line[len(start):],)
        return wait(f"the program says {start!r}", look)[0]

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0, self.process.returncode


class Browser:
    """A headless Chromium."""

    def __init__(self, folder):
        # The sandbox does not work as root, which tests often run as.
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--disable-gpu", "--no-first-run",
             "--disable-extensions", "--disable-background-networking",
             "--remote-debugging-port=0", "--remote-allow-origins=*",
             f"--user-data-dir={folder}", *options, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = wait("Chromium's port", lambda: self._port(folder))
        self.socket = websocket.create_connection(
            f"ws://127.0.0.1:{port[0]}{port[1]}", timeout=PATIENCE)
        self.number = 0
        self.answers = {}
        self.pages = {}
        self.news = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    @staticmethod
    def _port(folder):
        try:
            with open(os.path.join(folder, "DevToolsActivePort"), encoding="utf-8") as file:
                lines = file.read().split("\n")
            return lines if len(lines) > 1 else None
        except FileNotFoundError:
            return None

    def _read(self):
        while True:
            try:
                message = json.loads(self.socket.recv())
            except websocket.WebSocketTimeoutException:
                # Nothing has been requested.
                continue
            except (websocket.WebSocketException, OSError, ValueError):
                return
            with self.news:
                if "id" in message:
                    self.answers[message["id"]] = message
                elif message.get("sessionId") in self.pages:
                    self.pages[message["sessionId"]].put(message)
                self.news.notify_all()

    def call(self, method, session=None, **parameters):
        with self.news:
            self.number += 1
            number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.socket.send(json.dumps(message))
        with self.news:
            if not self.news.wait_for(lambda: number in self.answers, PATIENCE):
                raise AssertionError(f"Chromium does not answer {method}")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Phone:
    """A page of the browser, of the size of a phone, with a finger."""

    def __init__(self, browser, width=390, height=844):
        self.browser = browser
        context = browser.call("Target.createBrowserContext")["browserContextId"]
        target = browser.call(
            "Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        self.session = browser.call(
            "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.events = browser.pages[self.session] = queue.SimpleQueue()
        # Not Network: it would tell every picture, faster than they can be read here.
        for domain in ("Page", "Runtime", "Log", "Accessibility"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        self.turn(width, height)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def turn(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride",
                  width=width, height=height, deviceScaleFactor=2, mobile=True)

    def open(self, port, host="127.0.0.1"):
        self.call("Page.navigate", url=f"http://{host}:{port}/")

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, script):
        return wait(f"on the page: {script}", lambda: self.run(script))

    def wait_until_live(self):
        self.wait("document.readyState === 'complete' && !!document.getElementById('connection')"
                  " && document.getElementById('connection').dataset.state === 'live'")

    # A finger

    def box(self, selector):
        find = f"document.querySelector({json.dumps(selector)})"
        self.wait(f"!!{find}")
        # What lies under the picture is not seen.
        box = self.run(f"(() => {{ const e = {find}; e.scrollIntoView({{ block: 'end' }});"
                       " const b = e.getBoundingClientRect();"
                       " return [b.left, b.top, b.width, b.height]; })()")
        assert box[2] > 0 and box[3] > 0, f"{selector} is not seen"
        return box

    def touch(self, kind, *points):
        self.call("Input.dispatchTouchEvent", type=kind,
                  touchPoints=[{"x": x, "y": y} for x, y in points])

    def tap(self, selector):
        left, top, width, height = self.box(selector)
        self.touch("touchStart", (left + width / 2, top + height / 2))
        self.touch("touchEnd")

    def drag(self, selector, place, steps=12, hold=lambda: None):
        """Takes a slider at its thumb, and draws it to a place."""
        left, top, width, height = self.box(selector)
        now = float(self.run(f"document.querySelector({json.dumps(selector)}).value"))
        x = lambda place: left + 16 + place * (width - 32)
        y = top + height / 2
        self.touch("touchStart", (x(now), y))
        for step in range(1, steps + 1):
            self.touch("touchMove", (x(now + (place - now) * step / steps), y))
        hold()
        self.touch("touchEnd")

    # What is seen

    PIXELS = """(() => {
      const { width, height } = preview;
      const data = context.getImageData(0, 0, width, height).data;
      let hash = 2166136261, sum = 0;
      for (let i = 0; i < data.length; i += 4) {
        for (let c = 0; c < 3; c++) hash = Math.imul(hash ^ data[i + c], 16777619);
        sum += data[i] + data[i + 1] + data[i + 2];
      }
      return { width, height, hash, mean: sum / (width * height * 3), count: Number(preview.dataset.count) };
    })()"""

    def picture(self):
        return self.run(self.PIXELS)

    def cells(self):
        """A number for each cell of the picture, of 8 across and 4 down."""
        return self.run("""(() => {
          const { width, height } = preview;
          const data = context.getImageData(0, 0, width, height).data;
          const cells = new Array(32).fill(0);
          for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
            const cell = Math.floor(y * 4 / height) * 8 + Math.floor(x * 8 / width);
            cells[cell] = (Math.imul(cells[cell], 31) + data[(y * width + x) * 4]) | 0;
          }
          return cells;
        })()""")

    def frame_box(self):
        """Left, top, width and height of the frame on the page."""
        return self.run("(() => { const b = frameBox(); return [b.left, b.top, b.width, b.height]; })()")

    def still_picture(self, fits=lambda picture: True):
        """A picture that stays the same for some pictures, and fits."""
        def look():
            first = self.picture()
            if not fits(first):
                return None
            wait("more pictures", lambda: self.picture()["count"] >= first["count"] + 6)
            return first if self.picture()["hash"] == first["hash"] else None
        return wait("a picture that stands still and fits", look)

    def trouble(self):
        """What the browser has complained about."""
        complaints = []
        while not self.events.empty():
            event = self.events.get()
            if event["method"] == "Runtime.exceptionThrown":
                complaints.append(event["params"]["exceptionDetails"]["text"])
            elif event["method"] == "Log.entryAdded":
                entry = event["params"]["entry"]
                # That the server does not answer for a while is part of the test.
                if entry["level"] == "error" and entry["source"] != "network":
                    complaints.append(entry["text"])
        return complaints

    def addresses(self):
        """What the page has loaded."""
        return self.run("performance.getEntriesByType('resource').map((entry) => entry.name)")

    def shoot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))


def play(program, folder, first, second):
    """Moves by touch, and their effect."""
    print("-- both phones show the pictures")
    for phone in (first, second):
        phone.open(program.port)
        phone.wait_until_live()
        phone.wait("Number(preview.dataset.count ?? 0) > 10")
    shown = first.picture()
    assert max(shown["width"], shown["height"]) == 480, shown
    assert abs(shown["width"] / shown["height"] - 16 / 9) < 0.05, shown

    print("-- a slider that is dragged moves the property, the other phone and the picture")
    first.tap("#scan [aria-label=Map] button:nth-child(2)")
    program.hear("property map radial")
    first.tap("#freeze")
    program.hear("property freeze true")
    second.wait("document.getElementById('freeze').getAttribute('aria-pressed') === 'true'")
    before = first.still_picture()
    since = len(program.lines)

    def while_held():
        second.wait("Math.abs(document.getElementById('knob-gain').value - 0.85) < 0.02")
        # The finger still lies on it: what others do to the property does not move the thumb.
        value = first.run("document.getElementById('knob-gain').value")
        program.say("fade gain 0.1")
        second.wait("Math.abs(document.getElementById('knob-gain').value - 0.1) < 0.01")
        assert first.run("document.getElementById('knob-gain').value") == value
        # The number says what is so.
        number = "document.querySelector('.fader:has(#knob-gain) output').textContent"
        first.wait(f"{number} === {json.dumps(second.run(number))}")

    first.drag("#knob-gain", 0.85, hold=while_held)
    program.hear("property gain ", since, lambda value: 5 < float(value) < 6.2)
    # And released, it is where the property is.
    for phone in (first, second):
        phone.wait("Math.abs(document.getElementById('knob-gain').value - 0.1) < 0.01")
    first.drag("#knob-gain", 0.85)
    second.wait("Math.abs(document.getElementById('knob-gain').value - 0.85) < 0.02")
    after = first.still_picture(lambda picture: picture["hash"] != before["hash"])
    print(f"   picture {before['hash']:x} -> {after['hash']:x}")
    wait("the other phone's picture", lambda: second.picture()["hash"] == after["hash"])

    print("-- undo takes it back, and the picture too")
    since = len(program.lines)
    second.tap("#undo")
    program.hear("property gain ", since)
    first.still_picture(lambda picture: picture["hash"] != after["hash"])
    first.tap("#redo")
    first.still_picture(lambda picture: picture["hash"] == after["hash"])

    print("-- black, and the picture again")
    first.tap("#black")
    program.hear("blackout true")
    first.still_picture(lambda picture: picture["mean"] < 3)
    second.tap("#black")
    program.hear("blackout false")
    first.still_picture(lambda picture: picture["mean"] > 3)
    first.tap("#freeze")
    program.hear("property freeze false")

    print("-- presets, beats, stills and recordings")
    since = len(program.lines)
    first.tap("#glide button[data-number='2']")
    # All phones glide alike.
    second.wait("document.querySelector('#glide [data-number=\"2\"]').getAttribute('aria-pressed') === 'true'")
    first.tap("#presets button[data-preset=Vortex]")
    program.hear("preset Vortex", since)
    second.wait("document.getElementById('preset-name').textContent === 'Vortex'")
    second.wait("document.querySelector('[data-preset=Vortex]').getAttribute('aria-pressed') === 'true'")
    first.tap("#quantize button[data-number='8']")
    program.hear("quantize 8")
    # A change waits for its beat on all phones, counts down, and comes; the beats of the bar follow each other.
    # The page writes down what is so for a while only.
    button = "document.querySelector('[data-preset=\"Time Warp Scan\"]')"
    second.run("window.counted = []; window.beats = []; new MutationObserver(() => counted.push("
               f"[document.getElementById('waiting').textContent, 'waiting' in {button}.dataset])).observe("
               "document.getElementById('waiting'), { childList: true })")
    second.run("new MutationObserver(() => { const lit = [...document.querySelectorAll('#beat i')].findIndex("
               "(dot) => Number(dot.style.opacity) > 0.3); if (lit !== beats.at(-1)) beats.push(lit); }).observe("
               "document.getElementById('beat'), { attributes: true, subtree: true })")
    # 31 beats of a quarter of a second before the next multiple.
    first.run("send('quantize 32')")
    program.hear("quantize 32")
    first.run("send('tempo 240 1')")
    program.hear("tempo 240")
    first.tap("#presets button[data-preset='Time Warp Scan']")
    second.wait("counted.length > 1 && counted.at(-1)[0] === ''")
    second.wait(f"{button}.getAttribute('aria-pressed') === 'true'")
    counted = second.run("counted")
    assert all(is_marked == (text != "") for text, is_marked in counted), counted
    texts = [text for text, _ in counted]
    numbers = [int(text.split()[-2]) for text in texts if text]
    assert all(text == "" or text.startswith("preset Time Warp Scan in ") for text in texts), counted
    assert len(set(numbers)) > 1 and numbers == sorted(numbers, reverse=True), counted
    second.wait("[0, 1, 2, 3].every((dot) => beats.includes(dot))")
    first.tap("#quantize button[data-number='0']")
    program.hear("quantize 0")
    since = len(program.lines)
    for _ in range(4):
        first.tap("#tap")
    program.hear("tempo ", since)
    # A key that is held is one beat.
    first.run("find('tap').focus(); window.taps = 0; { const real = socket.send; socket.send ="
              " function (message) { if (message === 'tap') taps++; real.call(this, message); }; }")
    for repeats in (False, True, True):
        first.call("Input.dispatchKeyEvent", type="keyDown", key=" ", text=" ", autoRepeat=repeats)
    first.call("Input.dispatchKeyEvent", type="keyUp", key=" ")
    assert first.run("delete socket.send && taps") == 1, "one key is not one beat"
    first.tap("#still")
    still = program.hear("snapshot ")
    assert os.path.getsize(still) > 0, still
    # Files of remotes are a second apart.
    time.sleep(1.1)
    second.tap("#record")
    program.hear("recording /")
    first.wait("document.getElementById('record').getAttribute('aria-pressed') === 'true'")
    first.wait("/^\\d+:(?!00)\\d\\d$/.test(document.querySelector('#record .words').textContent)")
    # The number of frames that are missing is said while they are lost.
    first.run("apply({ lost: 7 })")
    first.wait("/ 7 lost$/.test(document.querySelector('#record .words').textContent)")
    first.tap("#record")
    recorded = program.hear("recorded ")
    assert os.path.getsize(recorded) > 0, recorded

    print("-- the crossfader goes from the look on one deck to that on the other")
    first.tap("#glide button[data-number='0']")
    assert first.run("find('crossfade').disabled"), "it moves between nothing"
    for deck, name in (("a", "Clockwork"), ("b", "Tunnel")):
        choose(first, f"#deck-{deck}", name)
        for phone in (first, second):
            phone.wait(f"find('deck-{deck}').selectedOptions[0].textContent === '{deck.upper()} {name}'")
    since = len(program.lines)

    def while_held():
        # As a fader's, its thumb stays with the finger.
        second.wait("find('crossfade').value === '1'")
        program.say("crossfade 0.5")
        second.wait("find('crossfade').value === '0.5'")
        for name in ("Vortex", "Clockwork"):
            program.say(f"deck a {name}")
            first.wait(f"find('deck-a').selectedOptions[0].textContent === 'A {name}'")
            assert first.run("find('crossfade').value") == "1"
        program.say("crossfade 1")

    first.drag("#crossfade", 1, hold=while_held)
    program.hear("property map radial", since)
    program.hear("property depth 75", since)
    second.wait("find('crossfade').value === '1'")
    second.tap("#freeze")
    program.hear("property freeze true", since)
    tunnel = first.still_picture()
    since = len(program.lines)
    second.drag("#crossfade", 0)
    program.hear("property map angular", since)
    program.hear("property depth 90", since)
    first.still_picture(lambda picture: picture["hash"] != tunnel["hash"])
    second.drag("#crossfade", 1)
    first.still_picture(lambda picture: picture["hash"] == tunnel["hash"])
    since = len(program.lines)
    first.tap("#freeze")
    program.hear("property freeze false", since)

    draw(program, first, second)
    choose_map(program, folder, first, second)

    print("-- a property that moves by itself can be stopped")

    def while_held():
        second.wait("Math.abs(find('knob-mix').value - 0.5) < 0.01")
        # It does not move the thumb while a finger lies on it.
        value = first.run("find('knob-mix').value")
        program.say("fade mix 0.1")
        second.wait("Math.abs(find('knob-mix').value - 0.1) < 0.01")
        program.say("drive mix sine 4 0.2 1")
        first.wait("!document.querySelector('.fader:has(#knob-mix) .drive').hidden")
        assert first.run("find('knob-mix').value") == value

    first.drag("#knob-mix", 0.5, hold=while_held)
    first.tap(".fader:has(#knob-mix) .drive")
    first.wait("document.querySelector('.fader:has(#knob-mix) .drive').hidden")

    print("-- reset asks twice")
    since = len(program.lines)
    # It asks for as long as it takes to touch it again, not for three seconds.
    first.run("window.after = setTimeout; setTimeout = (act, time) => time === 3000 ? 0 : after(act, time)")
    first.tap("#reset")
    first.wait("find('reset').textContent === 'Touch again to reset everything'")
    first.tap("#reset")
    program.hear("preset none", since)
    first.wait("Number(document.getElementById('knob-mix').value) === 1")
    first.run("setTimeout = after")


def lose(phone):
    """A connection that is lost, and comes back as one."""
    print("-- a connection that is lost comes back as one")
    shown = phone.picture()["count"]
    assert phone.run("""(() => {
      window.made = [];
      window.RealSocket = WebSocket;
      WebSocket = class extends RealSocket { constructor(address) { super(address); made.push(this); } };
      drop();
      drop();
      return find("connection").dataset.state + " " + find("picture").dataset.state;
    })()""") == "lost waiting"
    phone.wait_until_live()
    phone.wait(f"Number(preview.dataset.count) > {shown} + 10")
    assert phone.run("made.length") == 1, "two connections at once"
    # Where the server does not answer, it asks again.
    phone.run("""(() => {
      const real = fetch;
      fetch = (address, { signal }) => {
        fetch = real;
        return new Promise((_, fail) => signal?.addEventListener("abort", () => fail(signal.reason)));
      };
      drop();
    })()""")
    phone.wait_until_live()
    phone.run("WebSocket = RealSocket")


def change_shows(program, folder, first):
    """Marks what waits and more; then another show begins, in which none of it is so."""
    print("-- what waits is marked, and nothing of it is left in the next show")
    # 63 beats of three seconds: nothing comes before the show ends.
    for line in ("quantize 64", "tempo 20 1", "set map radial"):
        program.say(line)
    marked = "[...document.querySelectorAll('[data-waiting]')].map((button) => button.textContent).join()"
    first.wait(f"{marked} === 'radial'")
    program.say("set mode sweep")
    program.say('map-image "3 right.pgm"')
    first.wait(f"{marked} === '3 right,sweep'")
    program.say("preset Vortex")
    first.wait(f"{marked} === 'Vortex,3 right,sweep'")
    # Strokes are the map in place of a source.
    first.run("apply({ presets: ['Gone'], drawing: { map: true, fade: 0 }, 'map-source': 1, sources: ['a', 'b'] })")
    assert first.run("state.mapSource === null && !document.querySelector('#map-source [aria-pressed=true]')")
    first.run("apply({ drawing: { map: false, fade: 0 }, 'map-source': 1 })")
    assert first.run("document.querySelectorAll('#map-source [aria-pressed=true]').length") == 1
    program.end()
    first.wait("document.getElementById('connection').dataset.state === 'lost'")
    program = Program(program.process.args[0], folder, port=program.port)
    first.wait_until_live()
    assert first.run(marked) == "" and first.run("find('waiting').textContent") == ""
    assert first.run("state.mapSource === null && !document.querySelector('#map-source [aria-pressed=true]')")
    assert first.run("!drawing.image && !find('sources').children.length && find('sources-card').hidden")
    assert first.run("!document.querySelector('[data-preset=Gone]')"
                     " && !!document.querySelector('[data-preset=Vortex]')")
    return program


def draw(program, first, second):
    """Fingers and the mouse on the picture: where they were, another moment is shown, and nowhere else."""
    print("-- fingers paint the map")
    for line in ("reset", "set map live", "map-source draw", "set depth 10", "quantize 0"):
        program.say(line)
    first.wait("knobs.get('depth').value === 10")
    # So many frames that the oldest is another one.
    count = first.picture()["count"]
    first.wait(f"Number(preview.dataset.count) > {count} + 20")
    program.say("set freeze true")
    clean = first.still_picture()
    cells = first.cells()
    first.tap("#draw")
    first.wait("!find('pad').hidden")
    # A hard brush of a tenth.
    first.drag("#brush-size", 0.1)
    first.drag("#brush-softness", 0)
    box = first.frame_box()
    at = lambda x, y: (box[0] + x * box[2], box[1] + y * box[3])

    def changed(fits):
        """The cells of the picture, of 8 x 4, that are not as before, once they fit."""
        def look():
            first.still_picture()
            now = {cell for cell, (old, new) in enumerate(zip(cells, first.cells())) if old != new}
            return (now,) if fits(now) else None
        return wait("the cells of the picture that were drawn on", look)[0]

    cell = lambda x, y: int(y * 4) * 8 + int(x * 8)
    left, right = cell(0.2, 0.4), cell(0.8, 0.4)
    # Two fingers at once, each down through some cells of its own.
    first.touch("touchStart", at(0.2, 0.3), at(0.55, 0.8))
    for step in range(1, 9):
        first.touch("touchMove", at(0.2, 0.3 + step * 0.04), at(0.55 + step * 0.02, 0.8))
    first.touch("touchEnd")
    # A phone's moves are performed in their order: after this one, no part of a stroke is missing.
    first.wait("drawing.fingers.size === 0")
    since = len(program.lines)
    first.run("send('tempo 123')")
    program.hear("tempo 123", since)
    wanted = {cell(0.2, 0.4), cell(0.2, 0.6), cell(0.6, 0.8), cell(0.7, 0.8)}
    seen = changed(lambda now: wanted <= now)
    assert right not in seen and cell(0.9, 0.1) not in seen and cell(0.05, 0.9) not in seen, seen
    assert len(seen) < 16, seen
    drawn = first.picture()["hash"]
    wait("the other phone's picture", lambda: second.picture()["hash"] == drawn)

    print("-- clear, undo, mirror, the mouse, and strokes that fade")
    first.tap("#draw-clear")
    first.still_picture(lambda picture: picture["hash"] == clean["hash"])
    second.tap("#undo")
    first.still_picture(lambda picture: picture["hash"] == drawn)
    first.tap("#draw-clear")
    first.still_picture(lambda picture: picture["hash"] == clean["hash"])
    first.tap("#mirror [data-mirror=x]")
    for kind, x in (("mousePressed", 0.2), ("mouseMoved", 0.22), ("mouseReleased", 0.22)):
        first.call("Input.dispatchMouseEvent", type=kind, x=at(x, 0)[0], y=at(0, 0.4)[1],
                   button="left", buttons=1, clickCount=1)
    seen = changed(lambda now: {left, right} <= now)
    assert len(seen) < 10 and cell(0.5, 0.4) not in seen, seen
    first.tap("#draw-fade [data-number='2']")
    second.wait("document.querySelector('#draw-fade [data-number=\"2\"]').getAttribute('aria-pressed') === 'true'")
    first.still_picture(lambda picture: picture["hash"] == clean["hash"])
    first.tap("#draw-fade [data-number='0']")
    first.tap("#draw")
    first.wait("find('pad').hidden")
    first.tap("#freeze")
    program.say("set map linear")
    # What a phone asks for next may overtake what is typed.
    first.wait("knobs.get('map').value === 'linear' && knobs.get('freeze').value === false")


def ends(picture):
    """How bright the left and the right end of a tile's picture are."""
    return f"""(() => {{
      const image = document.querySelector('[data-picture="{picture}"] img');
      if (image?.hidden !== false || !image.complete) return [0, 0];
      const canvas = Object.assign(document.createElement("canvas"), {{ width: image.naturalWidth, height: 1 }});
      const drawn = canvas.getContext("2d");
      drawn.drawImage(image, 0, 0);
      return [0, image.naturalWidth - 1].map((x) => drawn.getImageData(x, 0, 1, 1).data[0]);
    }})()"""


def choose_map(program, folder, first, second):
    """A folder of images that are maps, one of which cannot be read."""
    print("-- images of a folder are maps")
    maps = os.path.join(folder, "maps")
    with open(os.path.join(maps, "2 broken.pgm"), "wb") as file:
        file.write(b"P5 1")
    for name, pixels in (("1 left.pgm", b"\xff\x00"), ("3 right.pgm", b"\x00\xff")):
        with open(os.path.join(maps, name), "wb") as file:
            file.write(b"P5 2 1 255\n" + pixels)
    first.run("send('next-map')")
    # An image that cannot be read is no button, and the others have pictures.
    names = "[...document.querySelectorAll('#maps button')].map((button) => button.dataset.image).join()"
    second.wait(f"{names} === '1 left.pgm,3 right.pgm' && !find('maps-card').hidden")
    for name, bright in (("1 left.pgm", "a > b"), ("3 right.pgm", "a < b")):
        first.wait(f"(([a, b]) => {bright} && Math.abs(a - b) > 200)({ends(f'map-image {name}')})")
    program.say("set depth 10")
    program.say("set freeze true")
    second.wait("document.querySelector('[data-image=\"1 left.pgm\"]').getAttribute('aria-pressed') === 'true'")
    left = first.still_picture()
    # A note does not stay for long.
    first.run("window.noted = []; new MutationObserver((news) => { for (const { addedNodes } of news)"
              " for (const note of addedNodes) noted.push(note.textContent); })"
              ".observe(find('notes'), { childList: true })")
    # Another file is tried again, and said what is wrong with it.
    with open(os.path.join(maps, "2 broken.pgm"), "wb") as file:
        file.write(b"P5 2")
    first.tap("#next-map")
    first.wait("noted.some((text) => text.includes('2 broken.pgm'))")
    second.wait("document.querySelector('[data-image=\"3 right.pgm\"]').getAttribute('aria-pressed') === 'true'")
    first.still_picture(lambda picture: picture["hash"] != left["hash"])
    second.tap("#maps [data-image='1 left.pgm']")
    first.still_picture(lambda picture: picture["hash"] == left["hash"])
    program.say("set freeze false")
    program.say("set map linear")


def choose(phone, selector, name):
    """Chooses from a list, by typing. A letter that comes a second after another would begin another name."""
    phone.box(selector)
    phone.run(f"document.querySelector({json.dumps(selector)}).focus()")
    moment = time.time()
    for number, letter in enumerate(name):
        for kind, text in (("keyDown", letter), ("keyUp", "")):
            phone.call("Input.dispatchKeyEvent", type=kind, key=letter, text=text,
                       timestamp=moment + number / 100)


def see(phone):
    """What is seen first, and what is not covered."""
    print("-- upright, presets, crossfader and tap come first, with pictures; notes cover no control")
    phone.run("scrollTo(0, 0)")
    tops = phone.run("['presets', 'crossfade', 'tap', 'scan'].map((id) => find(id).getBoundingClientRect().bottom)")
    assert tops == sorted(tops) and tops[2] < phone.run("innerHeight"), tops
    # The preset that is seen is in view, also when the page opens.
    for name in ("Clockwork", "Vortex", None):
        if name:
            phone.run(f"send('preset {name}')")
        else:
            name = "Vortex"
            phone.call("Page.reload")
            phone.wait_until_live()
        phone.wait(f"""(([a, b]) => a.left >= b.left && a.right <= b.right)(
          [document.querySelector('[data-preset={name}]'), find('presets')].map((e) => e.getBoundingClientRect()))""")
    phone.wait("[...document.querySelectorAll('[data-preset] img')].every((image) => image.naturalWidth === 160)")
    looks = phone.run("new Set([...document.querySelectorAll('[data-preset] img')].map((image) => image.src)).size")
    assert looks > 15, f"only {looks} pictures of presets differ"
    phone.run("find('notes').replaceChildren(); send('preset nothing')")
    phone.wait("find('notes').children.length === 1")
    covered = phone.run("""[...document.querySelectorAll('button, input, select, summary')].filter((control) => {
      const [a, b] = [control.getBoundingClientRect(), find("notes").firstChild.getBoundingClientRect()];
      return !control.closest("#notes") && a.width > 0 && a.left < b.right && b.left < a.right
        && a.top < b.bottom && b.top < a.bottom;
    }).map((control) => control.id)""")
    assert not covered, f"a note covers {covered}"
    phone.tap("#notes p")
    phone.wait("find('notes').children.length === 0")


def assign(phone):
    """What MIDI controls do, as the show says it, and what the page sends to change it."""
    print("-- MIDI controls are seen, changed and removed")
    assert phone.run("find('midi-card').hidden"), "there is no MIDI"
    phone.run("""window.sent = []; socket.send = (message) => sent.push(message); apply({ midi: { learning: null,
      assignments: [{ device: 'My "box"', control: "channel 1 cc 7", action: "fader gain", property: "gain" },
        { device: "pads", control: "note 36", action: "do tap", property: null }] } })""")
    for selector, line in (
            ("#midi-list .line:nth-child(1) button:nth-of-type(1)", r'midi-learn gain "channel 1 cc 7" "My \"box\""'),
            ("#midi-list .line:nth-child(2) button", 'midi-remove "note 36" "pads"')):
        phone.tap(selector)
        phone.wait(f"sent.includes({json.dumps(line)})")
    phone.run("find('midi-property').value = 'depth'")
    phone.tap("#midi-learn")
    phone.wait("sent.includes('midi-learn depth')")
    phone.run("apply({ midi: { learning: 'depth', assignments: [] } })")
    assert "depth" in phone.run("find('midi-learning').textContent")
    phone.tap("#midi-learn")
    phone.wait("sent.includes('midi-learn')")
    phone.run("delete socket.send; apply({ midi: null })")
    assert phone.run("find('midi-card').hidden")


def look_at(phone):
    """Whether fingers and screen readers find everything."""
    print("-- everything has a name, and room for a finger")
    phone.run("for (const group of document.querySelectorAll('details')) group.open = true; find('draw').click();"
              " apply({ midi: { learning: 'depth', assignments: [{ device: 'box', control: 'cc 1',"
              " action: 'fader component-spread 0.25 0.75 jump', property: 'component-spread' }] } })")
    small = phone.run("""[...document.querySelectorAll('button, input, summary')]
      .filter((e) => e.checkVisibility({ visibilityProperty: true }))
      .map((e) => ({ name: e.outerHTML.slice(0, 80), height: e.getBoundingClientRect().height, width: e.getBoundingClientRect().width }))
      .filter((e) => e.height < 43.5 || e.width < 39.5)""")
    assert not small, f"too small: {small}"
    wide = phone.run("document.documentElement.scrollWidth > innerWidth")
    assert not wide, "the page is wider than the phone"
    roles = {"button", "slider", "switch", "radio", "textbox", "ColorWell", "img"}
    nodes = phone.call("Accessibility.getFullAXTree")["nodes"]
    named = [node for node in nodes if not node.get("ignored") and node["role"]["value"] in roles]
    assert len(named) > 50, f"only {len(named)} things to touch"
    nameless = [node["role"]["value"] for node in named if not node.get("name", {}).get("value")]
    assert not nameless, f"without names: {nameless}"
    phone.run("for (const group of document.querySelectorAll('details')) group.open = false; find('draw').click();"
              " apply({ midi: null })")


def pair(path, folder, browser):
    """A phone that has to give the code."""
    print("-- in a network, a phone pairs")
    program = Program(path, folder, bind="0.0.0.0")
    phone = Phone(browser)
    phone.open(program.port)
    # Before the page is there, nothing has a name.
    phone.wait("document.getElementById('pairing')?.hidden === false && typeof surface !== 'undefined'"
               " && surface === null")
    for width, height in ((320, 568), (390, 844), (844, 390), (768, 1024), (320, 180)):
        phone.turn(width, height)
        # Where it is higher than the display, it can be scrolled to its end.
        phone.wait(f"innerWidth === {width}")
        for part in ("#code", "#pairing button"):
            left, top, wide, high = phone.box(part)
            assert left >= 0 and left + wide <= width and top >= 0 and top + high <= height, (
                f"{part} at {width}x{height}: {left}, {top}, {wide}, {high}")
        assert phone.run("document.getElementById('pairing').scrollWidth <= innerWidth")
    phone.turn(390, 844)
    for code, fits in ((("000000", "000001")[program.code == "000000"], False), (None, True)):
        code = code or program.code
        phone.tap("#code")
        phone.call("Input.insertText", text=code)
        phone.tap("#pairing button")
        if not fits:
            phone.wait("document.getElementById('pairing-trouble').textContent.includes('not the code')")
            # When the show begins again, that is over, and what was wrong before is, too.
            program.end()
            phone.tap("#code")
            phone.call("Input.insertText", text=code)
            phone.tap("#pairing button")
            phone.wait("document.getElementById('pairing-trouble').textContent.includes('does not answer')")
            program = Program(path, folder, bind="0.0.0.0", port=program.port)
            phone.wait("document.getElementById('pairing-trouble').textContent === ''")
    phone.wait_until_live()
    assert phone.run("document.getElementById('pairing').hidden")
    assert phone.run("document.cookie") == "", "the token can be read by scripts"
    program.end()


def main():
    path = sys.argv[1]
    pictures = sys.argv[2] if len(sys.argv) > 2 else None
    # What is left of Chromium may still write into its own.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.mkdir(os.path.join(folder, "maps"))
        program = Program(path, folder)
        browser = Browser(os.path.join(folder, "chromium"))
        try:
            first, second = Phone(browser), Phone(browser)
            play(program, folder, first, second)
            see(first)
            assign(first)
            look_at(first)
            if pictures:
                shoot(path, folder, browser, pictures)

            print("-- when the show begins again, phones come back by themselves")
            program.end()
            for phone in (first, second):
                phone.wait("document.getElementById('connection').dataset.state === 'lost'")
            program = Program(path, folder, port=program.port)
            for phone in (first, second):
                phone.wait_until_live()
                phone.wait("document.getElementById('picture').dataset.state === 'shown'")
            first.tap("#freeze")
            program.hear("property freeze true")
            lose(first)
            program = change_shows(program, folder, first)

            pair(path, folder, browser)

            print("-- nothing was loaded from elsewhere, and nothing was complained about")
            for phone in (first, second):
                complaints, addresses = phone.trouble(), phone.addresses()
                assert not complaints, complaints
                own = f"http://127.0.0.1:{program.port}/"
                assert addresses and all(address.startswith(own) for address in addresses), addresses
            program.end()
        except AssertionError:
            print("What the program said:", *Program.all[-1].lines[-40:], sep="\n   ")
            raise
        finally:
            browser.end()
            for each in Program.all:
                each.process.kill()
    print("The page is as it should be.")


def shoot(path, folder, browser, pictures):
    """Pictures of the page with the clip, upright, on its side, and while a finger draws."""
    os.makedirs(pictures, exist_ok=True)
    for name, width, height in (("upright", 390, 844), ("sideways", 844, 390), ("drawing", 390, 844)):
        program = Program(path, folder, source=CLIP)
        program.say("tempo 124")
        program.say("preset Vortex")
        phone = Phone(browser, width, height)
        phone.open(program.port)
        phone.wait_until_live()
        # Pictures of presets are of some seconds of the clip.
        phone.wait("Number(preview.dataset.count ?? 0) > 120 && pictures.size >= 20")
        if name == "drawing":
            program.say("reset")
            program.say("set depth 90")
            phone.tap("#draw")
            phone.tap("#mirror [data-mirror=x]")
            left, top, width, height = phone.frame_box()
            at = lambda turn: (left + width * (0.27 + 0.13 * math.cos(turn)),
                               top + height * (0.5 + 0.25 * math.sin(turn)))
            phone.touch("touchStart", at(0))
            for step in range(1, 60):
                phone.touch("touchMove", at(step / 8))
                time.sleep(0.02)
        phone.shoot(os.path.join(pictures, f"remote-{name}.png"))
        program.end()


main()
