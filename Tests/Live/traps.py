#!/usr/bin/env python3
"""Compares the traps in machine code with a list of them. Tests/Live/traps.sh runs it.

    traps.py LINKED LIST.md --tools FOLDER --modules NAME... [--print]

A trap is an instruction that ends the process (ud2, brk), or a call to a function of Swift's runtime
that does or may. Each counts for the file of the innermost function of the modules that it was inlined
into, so it does not matter what else the compiler inlines.
"""
import argparse
import collections
import platform
import re
import subprocess
import sys

# What the compiler says of a trap, by the words of the list.
KINDS = [
    ("overflow", r"overflow"),
    ("zero", r"Division by zero|Stride size must not be zero"),
    ("range", r"Range requires"),
    ("bounds", r"[Ii]ndex (range )?(is )?out of|Array index is out|Byte offset|subrange|String index"),
    ("conversion", r"Not enough bits|Negative value is not|cannot be converted"),
    ("alignment", r"must be properly aligned"),
    ("nil", r"found nil"),
    (
        "count",
        r"Count must not be|count < 0|negative (length|number)|empty collection|underestimatedCount"
        r"|invalid Collection|Insufficient space",
    ),
    ("hashing", r"Hash table has no holes|ELEMENT_TYPE_OF|KEY_TYPE_OF"),
    ("copy", r"cannot be copied"),
    ("closure", r"closure has escaped"),
    ("isolation", r"swift_task_reportUnexpectedExecutor|preconditionIsolated|assumeIsolated"),
    ("access", r"swift_beginAccess"),
    (
        "precondition",
        r"precondition|[aA]ssertion|fatalError|_fatalErrorMessage|unexpectedError|deletedMethod",
    ),
]
# Where the compiler has merged several traps of a function into one, it says nothing.
UNKNOWN = "?"

# Functions of the runtime that end the process, or may. Not __stack_chk_fail: it ends what memory that has
# been overwritten would end otherwise.
CALLS = re.compile(
    r"_assertionFailure|_fatalErrorMessage|fatalError|swift_unexpectedError|swift_deletedMethodError"
    r"|swift_task_reportUnexpectedExecutor|preconditionIsolated|assumeIsolated|swift_beginAccess"
    r"|ELEMENT_TYPE_OF|KEY_TYPE_OF|swift_abort|swift_unreachable|swift_reportError|^abort$"
)
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(ud2|brk)\b")
CALL = re.compile(r"^\s*([0-9a-f]+):\s+(?:call|jmp|bl|b)\s+[0-9a-f]+ <(.+)@plt>")

# What demanglers put before the name of a function for the parts that it is compiled to.
PREFIX = re.compile(
    r"(implicit )?closure #\d+ (\(.*?\) )?in |\$?\w+ #\d+ (\(.*?\) )?in |default argument \d+ of "
    r"|\(\d+\) (await|suspend) resume partial function for |one-time initialization function for "
    r"|variable initialization expression of |partial apply for |@objc |static |merged |specialized "
    r"|outlined |defer "
)


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def demangled(names, tools):
    names = sorted(names)
    text = "".join(f"{name}\n" for name in names)
    lines = run(f"{tools}/swift-demangle", "--simplified", "--compact", text=text).splitlines()
    return dict(zip(names, lines))


def traps(linked, tools):
    """The address of each trap and, of calls, the function."""
    instructions = []
    calls = []
    for line in run("objdump", "-d", "--no-show-raw-insn", linked).splitlines():
        if match := INSTRUCTION.match(line):
            instructions.append((match[1], None))
        elif match := CALL.match(line):
            calls.append((match[1], match[2]))
    for name, plain in demangled({name for _, name in calls}, tools).items():
        if not CALLS.search(name) and not plain.endswith("-> Never"):
            calls = [call for call in calls if call[1] != name]
    return instructions + calls


def frames(linked, addresses, tools):
    """For each address the functions it is in, the innermost first, each with its file."""
    text = run(
        f"{tools}/llvm-symbolizer", f"--obj={linked}", "--inlines", "--functions=linkage",
        "--output-style=GNU", "--addresses", text="".join(f"0x{a}\n" for a in addresses))
    for block in re.split(r"^0x[0-9a-f]+\n", text, flags=re.M)[1:]:
        lines = block.strip().split("\n")
        yield list(zip(lines[::2], (line.rsplit(":", 1)[0] for line in lines[1::2])))


def plain_names(names, tools):
    """Mangled names as the source has them, those of closures as what they are in."""
    plain = {}
    for name, line in demangled(names, tools).items():
        while match := PREFIX.match(line):
            line = line[match.end():]
        plain[name] = re.sub(r"<.*?>", "", line)
    return plain


def kind_of(reason):
    if reason is None:
        return UNKNOWN
    for kind, words in KINDS:
        if re.search(words, reason):
            return kind
    return reason


def found_in(linked, tools, modules):
    """Counts of kinds, by file and function; the file is None for what is the standard library's."""
    places = traps(linked, tools)
    source = re.compile(rf"/Sources/\w+/((?:{'|'.join(modules)})/.+\.swift)$")
    stacks = list(frames(linked, (address for address, _ in places), tools))
    plain = plain_names({name for stack in stacks for name, _ in stack}, tools)
    found = collections.defaultdict(collections.Counter)
    for (_, call), stack in zip(places, stacks):
        reason = call
        if stack and stack[0][0].startswith("Swift runtime failure: "):
            reason = stack.pop(0)[0].split(": ", 1)[1]
        for name, file in stack:
            if match := source.search(file):
                found[match[1], plain[name]][kind_of(reason)] += 1
                break
        else:
            found[None, plain[stack[-1][0]] if stack else "?"][kind_of(reason)] += 1
    return found


def listed_in(path):
    """The files of the list, each a row: `file` | why."""
    with open(path, encoding="utf-8") as text:
        return {match[1] for line in text if (match := re.match(r"\| `(.+?\.swift)` \| \S", line))}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("linked")
    parser.add_argument("list")
    parser.add_argument("--tools", required=True)
    parser.add_argument("--modules", nargs="+", required=True)
    parser.add_argument("--print", action="store_true")
    arguments = parser.parse_args()
    found = found_in(arguments.linked, arguments.tools, arguments.modules)

    if arguments.print:
        file = ""
        for key in sorted(found, key=lambda key: (key[0] or "", key[1])):
            if key[0] != file:
                file = key[0]
                print(f"\n### {file or 'The standard library'}\n")
            kinds = ", ".join(sorted(set(found[key]) - {UNKNOWN}) or [UNKNOWN])
            print(f"- `{key[1]}`: {kinds}")
        return 0

    listed = listed_in(arguments.list)
    functions = collections.defaultdict(list)
    for file, function in sorted(found, key=str):
        kinds = ", ".join(sorted(set(found[file, function]) - {UNKNOWN})) or "something"
        functions[file].append(f"{function} (by {kinds})")
    functions.pop(None, None)
    failures = []
    for file in sorted(set(functions) - listed):
        failures.append(
            f"{arguments.list} does not name {file}, where these may trap: {'; '.join(functions[file])}. "
            "Take the traps away, or see to it that nothing from outside comes there, and say in the "
            "list how.")
    # Another processor's code may have fewer, and the list is of this one's.
    if platform.machine() == "x86_64":
        for file in sorted(listed - set(functions)):
            failures.append(
                f"{arguments.list} names {file}, which cannot trap any more, or is gone. Take it out.")
    for failure in failures:
        print(failure)
    total = sum(found.values(), collections.Counter())
    kinds = ", ".join(
        f"{'merged' if kind == UNKNOWN else kind} {count}" for kind, count in total.most_common())
    print(f"{total.total()} places that could trap in {len(found)} functions: {kinds}.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
