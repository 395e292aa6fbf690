#!/usr/bin/env python3
"""Writes the table of named character references (the 2,231 of the HTML standard) as C++.

Usage: make_entities.py OUT. Runs at build time; the names come from Python's own copy of the standard.

Every name that may stand without its semicolon also exists with one and means the same, so a name is
kept once, without the semicolon, with a flag. Names lie in the order of their hash bucket: a look-up
hashes the name and compares the one or two names of its bucket.
"""

import html.entities
import sys

BUCKETS = 2048


def name_hash(name):
    """Must be the same as name_hash() of character_reference.cc."""
    h = 0
    for byte in name.encode():
        h = (h * 31 + byte) & 0xFFFFFFFF
    return (h ^ (h >> 15)) % BUCKETS


def blob(parts):
    """A C++ string literal of the bytes of all parts, a few to the line."""
    data = b"".join(parts)
    lines = []
    for start in range(0, len(data), 24):
        # Octal: unlike a hexadecimal escape it cannot swallow the character after it.
        lines.append('    "' + "".join(f"\\{b:03o}" for b in data[start:start + 24]) + '"')
    return "\n".join(lines)


def main(out):
    html5 = html.entities.html5
    names = sorted((n[:-1] for n in html5 if n.endswith(";")), key=lambda n: (name_hash(n), n))
    assert all(n.endswith(";") or html5[n] == html5[n + ";"] for n in html5)

    buckets = [0] * (BUCKETS + 1)
    for name in names:
        buckets[name_hash(name) + 1] += 1
    for i in range(BUCKETS):
        buckets[i + 1] += buckets[i]

    rows, name_bytes, text_bytes = [], [], []
    name_at = text_at = 0
    for name in names:
        key, text = name.encode(), html5[name + ";"].encode()
        legacy = "true" if name in html5 else "false"
        rows.append(f"    {{{name_at}, {text_at}, {len(key)}, {len(text)}, {legacy}}},")
        name_bytes.append(key)
        text_bytes.append(text)
        name_at += len(key)
        text_at += len(text)
    assert name_at < 65536 and text_at < 65536 and max(len(t) for t in text_bytes) <= 6

    with open(out, "w", encoding="ascii") as file:
        file.write("// Written by src/parse/make_entities.py.\n")
        file.write(f"constexpr uint32_t kBuckets = {BUCKETS};\n")
        file.write(f"constexpr size_t kLongestName = {max(len(n) for n in names)};\n")
        longest = max(len(n) for n in names if n in html5)
        file.write(f"constexpr size_t kLongestLegacyName = {longest};\n")
        file.write(f"constexpr char kNames[] =\n{blob(name_bytes)};\n")
        file.write(f"constexpr char kTexts[] =\n{blob(text_bytes)};\n")
        file.write("constexpr Entity kEntities[] = {\n" + "\n".join(rows) + "\n};\n")
        file.write("constexpr uint16_t kBucketStart[] = {\n")
        for start in range(0, BUCKETS + 1, 16):
            file.write("    " + ", ".join(map(str, buckets[start:start + 16])) + ",\n")
        file.write("};\n")


if __name__ == "__main__":
    main(sys.argv[1])
