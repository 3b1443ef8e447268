#!/usr/bin/env python3
"""Writes the typed properties of Scan, in Sources/SlitScanCapture/Scan, from the table of properties.

    gst/scan-properties.py           rewrites Scan+Properties.swift
    gst/scan-properties.py --check   says whether it is up to date
"""
import ast
import pathlib
import subprocess
import sys
import textwrap

root = pathlib.Path(__file__).resolve().parent.parent
output = root / "Sources/SlitScanCapture/Scan/Scan+Properties.swift"

# The preprocessor makes tuples of Python of the rows.
TABLE = """
#define CHOICES(Type) ("CHOICES", #Type, [
#define CHOICE_VALUE(value, nick, blurb) (nick, blurb),
#define CHOICES_END(Type) ]),
#define CHOICE(Type, field, default_value, group, presets, used, nick, blurb) ("CHOICE", #field, #Type, blurb),
#define SWITCH(field, default_value, group, presets, used, nick, blurb) ("SWITCH", #field, "", blurb),
#define NUMBER(field, minimum, maximum, default_value, unit, ...) ROW("NUMBER", field, unit, __VA_ARGS__)
#define WHOLE(field, minimum, maximum, default_value, unit, ...) ROW("WHOLE", field, unit, __VA_ARGS__)
#define LARGE(field, minimum, maximum, default_value, unit, ...) ROW("LARGE", field, unit, __VA_ARGS__)
#define ROW(kind, field, unit, fader, group, presets, used, nick, blurb) (kind, #field, unit, blurb),
#define TEXT(field, group, presets, used, nick, blurb) ("TEXT", #field, "", blurb),
#include "slitscan-properties.def"
"""

TYPES = {
    ("SWITCH", ""): "Bool",
    ("TEXT", ""): "String",
    ("LARGE", "ns"): "ClockTime",
    ("WHOLE", "0xAARRGGBB"): "UInt32",
}
BY_KIND = {"NUMBER": "Double", "WHOLE": "Int", "LARGE": "UInt64"}


def table():
    folder = root / "Sources/CSlitScanSettings/include"
    text = subprocess.run(
        ["cc", "-E", "-P", "-x", "c", f"-I{folder}", "-"],
        input=TABLE, capture_output=True, check=True, encoding="utf-8",
    ).stdout
    return ast.literal_eval("[" + text + "]")


def camel(name):
    first, *rest = name.replace("-", "_").split("_")
    return first + "".join(word.capitalize() for word in rest)


def comment(text, indent):
    return textwrap.wrap(
        text + ".", width=100, initial_indent=indent + "/// ", subsequent_indent=indent + "/// ",
        break_on_hyphens=False,
    )


def swift():
    rows = table()
    choices = [row for row in rows if row[0] == "CHOICES"]
    properties = [
        (field, camel(field), unit.removeprefix("SlitScan") if kind == "CHOICE"
         else TYPES.get((kind, unit)) or BY_KIND[kind], blurb)
        for kind, field, unit, blurb in (row for row in rows if row[0] != "CHOICES")
    ]
    summaries = {type: blurb for _, _, type, blurb in properties}
    lines = [
        "// The typed properties of a scan: the table of properties in Swift, written by",
        "// gst/scan-properties.py.",
        "",
        "import GStreamer",
        "",
        "extension Scan {",
    ]
    for _, type, values in choices:
        name = type.removeprefix("SlitScan")
        lines += comment(summaries[name], "  ")
        lines.append(f"  public enum {name}: String, Sendable, CaseIterable, ScanValue {{")
        for nick, blurb in values:
            lines += comment(blurb, "    ")
            raw = "" if camel(nick) == nick else f' = "{nick}"'
            lines.append(f"    case {camel(nick)}{raw}")
        lines += ["  }", ""]
    lines += [
        "  /// The effect as a preset and some properties make it; those that are nil are as in the preset, or",
        "  /// have their default values.",
        "  public init(",
        "    preset: String? = nil,",
    ]
    lines += [f"    {name}: {type}? = nil," for _, name, type, _ in properties]
    lines[-1] = lines[-1].removesuffix(",")
    lines += ["  ) {", "    self.init(preset: preset, [:])"]
    lines += [f"    self.{name} = {name}" for _, name, _, _ in properties]
    lines.append("  }")
    for field, name, type, blurb in properties:
        lines.append("")
        lines += comment(blurb, "  ")
        nick = field.replace("_", "-")
        lines += [
            f"  public var {name}: {type}? {{",
            f'    get {{ typed("{nick}") }}',
            f'    set {{ setTyped("{nick}", newValue) }}',
            "  }",
        ]
    return "\n".join(lines + ["}", ""])


if sys.argv[1:] == ["--check"]:
    if output.read_text() != swift():
        sys.exit(f"{output.name} is not as the table of properties. Run gst/scan-properties.py.")
else:
    output.write_text(swift())
