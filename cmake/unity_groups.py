#!/usr/bin/env python3
"""Divides the source files of one folder into groups that can be compiled as one file each.

    unity_groups.py LINES FILE...      prints "FILE;GROUP" for each file, one a line

Most of the time of a build goes into headers, so compiling some files together makes a clean build
about three times as fast. What stands in an unnamed namespace or is `static` belongs to one file;
two files that are compiled together would share it. So two files never get into one group if one
of them defines such a name and the other mentions it. A group has about LINES lines.

The scan is textual: it reads definitions that begin in the first column, as clang-format leaves
them. Should it miss one, the compiler reports a redefinition.
"""
import re
import sys

UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.S | re.M)
DEFINITIONS = [
    re.compile(r"^(?:class|struct|union|enum class|enum|using) (\w+)", re.M),
    re.compile(r"^#define (\w+)", re.M),
    re.compile(r"^(?:constexpr|const|static|inline|thread_local|std::|absl::)[^(={;]*?\b(\w+)(?:\[\w*\])*\s*(?:=|\{|;)", re.M),
    re.compile(r"^(?!return|else|if|for|while|TEST|RC_GTEST|INSTANTIATE|using|namespace|//|#|\})[\w\[][^=;()/]*?\b(\w+)\(", re.M),
]
CONSTANTS = re.compile(r"^(?:constexpr|const|static|enum (?!class))[^;]*;", re.M)
COMMENT = re.compile(r"//(?! namespace$)[^\n]*|/\*.*?\*/", re.S | re.M)
MENTIONED = re.compile(r"(?<![.>:\w])\w+")


def names_of(path):
    """Names that only this file may use, and all names that it mentions."""
    with open(path, encoding="utf-8") as file:
        text = COMMENT.sub("", file.read())
    own = set(re.findall(r"^#define (\w+)", text, re.M))
    for block in UNNAMED.findall(text) + re.findall(r"^static [^\n]*\n", text, re.M):
        for definition in DEFINITIONS:
            own.update(definition.findall(block))
        for constants in CONSTANTS.findall(block):
            own.update(re.findall(r"\bk[A-Z]\w*", constants))
    return own, set(MENTIONED.findall(text)), text.count("\n")


def main():
    limit = int(sys.argv[1])
    groups = []  # [own names, mentioned names, lines, files]
    for path in sorted(sys.argv[2:]):
        own, mentioned, lines = names_of(path)
        for group in groups:
            if group[2] + lines <= limit and not own & group[1] and not group[0] & mentioned:
                group[0] |= own
                group[1] |= mentioned
                group[2] += lines
                group[3].append(path)
                break
        else:
            groups.append([own, mentioned, lines, [path]])
    for number, group in enumerate(groups):
        for path in group[3]:
            print(f"{path};{number}")


if __name__ == "__main__":
    main()
