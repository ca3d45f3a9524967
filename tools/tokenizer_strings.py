"""Strings for tools/check_tokenizers and tools/check_hf_tokenizers, and their ids in rfs."""

import json
import lzma
import os
import pathlib
import struct
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPACES = [*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000,
          0x180E, 0x200B, 0xFEFF, 0x1C, 0x1D, 0x1E, 0x1F]


def corpus_strings(data, count, rng):
    texts = []
    for path in sorted((data / "corpus").glob("*.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as stream:
            texts.append(stream.read(40_000_000))
    strings = []
    for path in sorted((data / "benchmarks").glob("*.jsonl")):
        strings += path.read_text(encoding="utf-8").splitlines()
    while len(strings) < count:
        text = rng.choice(texts)
        begin = rng.randrange(len(text))
        strings.append(text[begin:begin + rng.choice([3, 20, 100, 400, 1500])])
    return strings


def ours(name, strings, data, threads=1):
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / "in", pathlib.Path(folder) / "out"
        with open(source, "wb") as out:
            for string in strings:
                out.write(struct.pack("<I", len(string)) + string)
        record = json.loads(subprocess.run([ROOT / "build/cpu/rfs_encode", name, source, target, str(threads)], check=True,
                                           capture_output=True, env={**os.environ, "RFS_DATA": str(data)}).stdout)
        content, rows, at = target.read_bytes(), [], 0
        while at < len(content):
            (count,) = struct.unpack_from("<I", content, at)
            rows.append(list(struct.unpack_from(f"<{count}i", content, at + 4)))
            at += 4 + 4 * count
    return rows, record
