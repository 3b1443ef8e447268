#!/usr/bin/env python3
"""Makes the manual page of a command from the command's own help.

    man-page.py COMMAND VERSION >command.1

Commands made with swift-argument-parser print all of their help as JSON when asked with
--experimental-dump-help. The page has a section for each subcommand; what is indented in the help,
as tables and examples are, keeps its lines.
"""

import json
import re
import subprocess
import sys


def text(words):
    """Words as mdoc takes them: what would be a request or an escape is none."""
    words = words.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", words, flags=re.MULTILINE)


def prose(words):
    """Paragraphs; what is indented is kept as it is."""
    lines = []
    for paragraph in re.split(r"\n\s*\n", (words or "").strip("\n")):
        lines.append(".Pp")
        kept = False
        for line in paragraph.split("\n"):
            if line.startswith(" ") != kept:
                kept = not kept
                lines.append(".Bd -literal -offset indent" if kept else ".Ed")
            lines.append(text(line if not kept else line[2:]))
        if kept:
            lines.append(".Ed")
    return lines


def spelled(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def heading(argument):
    """An argument as one types it."""
    value = f"<{argument.get('valueName', 'value')}>"
    if argument["kind"] == "positional":
        return value
    names = ", ".join(spelled(name) for name in argument["names"])
    return names + (f" {value}" if argument["kind"] == "option" else "")


def argument_lines(argument):
    lines = [f".It {text(heading(argument))}", text(argument.get("abstract", ""))]
    if argument.get("allValues"):
        lines += [".br", text("One of " + ", ".join(argument["allValues"]) + ".")]
    if argument.get("defaultValue"):
        lines += [".br", text(f"The default is {argument['defaultValue']}.")]
    return lines + (prose(argument["discussion"]) if argument.get("discussion") else [])


def shown(things):
    return [thing for thing in things or [] if thing.get("shouldDisplay", True)]


def command_lines(command, path):
    """A command's own description and arguments, then its subcommands'."""
    lines = []
    if len(path) > 1:
        lines += [f".Sh {text(' '.join(path).upper())}", text(command.get("abstract", ""))]
    if command.get("discussion"):
        lines += prose(command["discussion"])
    arguments = shown(command.get("arguments"))
    if arguments:
        lines.append(".Bl -tag -width indent")
        for argument in arguments:
            lines += argument_lines(argument)
        lines.append(".El")
    for subcommand in shown(command.get("subcommands")):
        if subcommand["commandName"] != "help":
            lines += command_lines(subcommand, path + [subcommand["commandName"]])
    return lines


def main():
    program, version = sys.argv[1:]
    dumped = subprocess.run(
        [program, "--experimental-dump-help"], check=True, stdout=subprocess.PIPE, text=True
    )
    command = json.loads(dumped.stdout)["command"]
    name = command["commandName"]
    lines = [
        ".Dd $Mdocdate$",
        f".Dt {name.upper()} 1",
        f".Os {name} {version}",
        ".Sh NAME",
        f".Nm {name}",
        f".Nd {text(command.get('abstract', '').rstrip('.'))}",
        ".Sh SYNOPSIS",
        f".Nm {name}",
        ".Ar subcommand",
        ".Op Ar options",
        ".Sh DESCRIPTION",
        *command_lines(command, [name]),
    ]
    print("\n".join(lines))


main()
