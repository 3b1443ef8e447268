#!/usr/bin/env python3
"""Finds public symbols that stand under no heading of the documentation's own.

A page that has headings must have all of its symbols under them; so must the page of a module. What
DocC adds by itself otherwise, it calls "Structures" or "Instance Properties".

    documentation-headings.py ARCHIVE.doccarchive...
"""
import json
import pathlib
import sys

found = 0
for archive in sys.argv[1:]:
    root = pathlib.Path(archive) / "data" / "documentation"
    for page in sorted(root.rglob("*.json")):
        content = json.loads(page.read_text())
        sections = content.get("topicSections", [])
        generated = [section for section in sections if section.get("generated")]
        is_module = page.parent == root
        if not generated or len(generated) == len(sections) and not is_module:
            continue
        for section in generated:
            for identifier in section["identifiers"]:
                # What a type has from a protocol of the module: DocC's own page.
                if identifier.endswith("-Implementations"):
                    continue
                print(f"{page.relative_to(root)}: {identifier} stands under no heading")
                found += 1
sys.exit(found > 0)
