#!/usr/bin/env python3
"""Writes the Unicode tables of rfs/text/nfc.cpp: rfs/text/nfc_composed.cpp and rfs/text/nfc_excluded.cpp.

    python3 tools/unicode_tables.py

They are those of the Python package `tokenizers`: Unicode 9. Code points that are newer have no class and do not compose.
Needs `tokenizers`, and a Python whose unicodedata has a later Unicode.
"""

import pathlib
import unicodedata

from tokenizers import normalizers

TEXT = pathlib.Path(__file__).resolve().parent.parent / "rfs/text"
NFC = normalizers.NFC().normalize_str
HANGUL = range(0xAC00, 0xD7A4)  # composed by a formula


def decompositions():
    """(code, first, second or 0, whether NFC composes the pair again) of every canonical decomposition."""
    for code in range(0x110000):
        text = "" if 0xD800 <= code <= 0xDFFF or code in HANGUL else unicodedata.decomposition(chr(code))
        if text and not text.startswith("<"):
            parts = [int(part, 16) for part in text.split()] + [0]
            if NFC(chr(code)) != chr(code) or NFC(unicodedata.normalize("NFD", chr(code))) == chr(code):
                yield code, parts[0], parts[1], NFC(chr(code)) == chr(code)


def classes():
    """Runs (first, last, class) of code points of one combining class."""
    runs = []
    for code in range(0x110000):
        number = 0 if 0xD800 <= code <= 0xDFFF else unicodedata.combining(chr(code))
        # Between two marks of higher and lower class, a mark moves to its place, unless `tokenizers` does not know it.
        if any(NFC(text) != unicodedata.normalize("NFC", text)
               for mark in "\u0334\u0345\u0315" for text in (f"a{chr(code)}{mark}", f"a{mark}{chr(code)}") if number):
            number = 0
        if number and runs and runs[-1][1] == code - 1 and runs[-1][2] == number:
            runs[-1][1] = code
        elif number:
            runs.append([code, code, number])
    return runs


def rows(items):
    lines, line = [], "   "
    for item in items:
        text = " {" + ", ".join(hex(value) if value > 255 else str(value) for value in item) + "},"
        if len(line) + len(text) > 119:
            lines.append(line)
            line = "   "
        line += text
    return "\n".join(lines + [line])


def write(name, tables):
    header = f"rfs/text/{pathlib.Path(name).stem}.h"
    text = ("#include \"" + header + "\"\n\nnamespace rfs {\nnamespace {\n\n"
            "// Unicode 9, as in the Python package tokenizers. tools/unicode_tables.py writes this file.\n// clang-format off\n")
    for kind, table, items in tables:
        text += f"constexpr {kind} {table}_table[] = {{\n{rows(items)}\n}};\n"
    text += "// clang-format on\n\n}  // namespace\n\n"
    for kind, table, _ in tables:
        text += f"std::span<const {kind}> {table}() {{\n  return {table}_table;\n}}\n"
    (TEXT / name).write_text(text + "\n}  // namespace rfs\n")


def main():
    every = list(decompositions())
    write("nfc_composed.cpp", [("NfcPair", "nfc_composed", [row[:3] for row in every if row[3]]),
                               ("NfcClass", "nfc_classes", classes())])
    write("nfc_excluded.cpp", [("NfcPair", "nfc_excluded", [row[:3] for row in every if not row[3]])])


if __name__ == "__main__":
    main()
