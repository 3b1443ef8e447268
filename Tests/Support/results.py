#!/usr/bin/env python3
"""Says how the parts of a test run ended.

results.py add FOLDER NAME SECONDS STATUS
    One part, whose output is FOLDER/NAME.log. If it ran tests, FOLDER/NAME.events is their event stream, as Swift
    Testing writes it: each test counts, and one more where the run broke off. Else the part counts as one test.
results.py sum FOLDER
    The times of all parts, the longest first, what failed once more, and a last line `N passed, N failed`.

Both exit with 1 if anything failed.
"""

import json
import pathlib
import re
import sys

BEGINNING = re.compile(r"(Thread|Address)Sanitizer: |^\*\*\* |Fatal error|This stood still")


def excerpt(log):
    """What a sanitizer, a crash or a standstill wrote, or else the end."""
    lines = log.read_text(errors="replace").splitlines()
    first = next((i for i, line in enumerate(lines) if BEGINNING.search(line)), max(0, len(lines) - 40))
    return [line[:400] for line in lines[first:first + 100]]


def read(path):
    """The events' payloads by their kinds. The last line may be incomplete. Texts may hold other ends of lines."""
    events = {}
    # Not splitlines(): texts may hold line separators of Unicode.
    for line in path.read_text(errors="replace").split("\n"):
        try:
            record = json.loads(line)
        except ValueError:
            break
        events.setdefault(record["payload"]["kind"], []).append(record["payload"])
    return events


def describe(event):
    """An issue: its test and the case of it, its place, and what the library says."""
    place = event["issue"].get("sourceLocation") or {}
    texts = [line for message in event["messages"] for line in message["text"].splitlines()]
    case = (event.get("_testCase") or {}).get("displayName")
    return [event.get("testID", "No test").rsplit("/", 1)[0] + (f" with {case}" if case else ""),
            f"  {place.get('fileID', '')}:{place.get('line', '')}: {texts[0] if texts else ''}",
            *(f"    {text}" for text in texts[1:20])]


def count(path, status, log):
    """The number of tests that passed and failed, and what failed."""
    events = read(path)
    functions = {test["id"] for test in events.get("function", [])}
    names = {kind: {event["testID"] for event in events.get(kind, [])}
             for kind in ("testStarted", "testEnded", "testSkipped")}
    issues = [event for event in events.get("issueRecorded", []) if not event["issue"]["isKnown"]]
    failed = {event.get("testID") for event in issues}
    lines = [line for event in issues for line in describe(event)]
    passed = len(functions & names["testEnded"] - names["testSkipped"] - failed)
    if "runEnded" not in events or not functions or (status != 0 and not issues):
        lines.append(f"The run ended with status {status}, after {len(names['testEnded'])} tests and suites, within")
        lines += sorted(f"  {name}" for name in functions & names["testStarted"] - names["testEnded"])
        failed.add("the run")
    if "the run" in failed or "Sanitizer: " in log.read_text(errors="replace"):
        lines += excerpt(log)
    return passed, len(failed), lines


def add(folder, name, seconds, status):
    log, events = folder / f"{name}.log", folder / f"{name}.events"
    if events.exists():
        passed, failed, lines = count(events, status, log)
    elif status == 0:
        passed, failed, lines = 1, 0, []
    else:
        passed, failed, lines = 0, 1, [f"status {status}", *excerpt(log)]
    text = f"{name}:\n" + "".join(f"  {line}\n" for line in lines) if failed else ""
    (folder / f"{name}.result").write_text(json.dumps([seconds, name, passed, failed, text]))
    print(f"{'FAILED' if failed else 'ok':6} {seconds // 60:2}:{seconds % 60:02}  {name}\n{text}", end="", flush=True)
    return failed


def total(folder):
    results = sorted((json.loads(path.read_text()) for path in folder.glob("*.result")), reverse=True)
    print("\nTimes of the parts, of which some ran side by side:")
    for seconds, name, *_ in results:
        print(f"{seconds // 60:3}:{seconds % 60:02}  {name}")
    texts = [text for *_, text in results if text]
    print("\nFailures:\n" + "".join(texts) if texts else "", end="")
    passed, failed = (sum(result[index] for result in results) for index in (2, 3))
    print(f"{passed} passed, {failed} failed")
    return failed


if sys.argv[1] == "add":
    sys.exit(add(pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])) > 0)
sys.exit(total(pathlib.Path(sys.argv[2])) > 0)
