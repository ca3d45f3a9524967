"""Tests of tools/bench_gpu with programs that only print a record."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
PATH = Path(__file__).resolve().parents[2] / "tools/bench_gpu"
LOADER = importlib.machinery.SourceFileLoader("bench_gpu", str(PATH))
bench_gpu = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_gpu", LOADER))
LOADER.exec_module(bench_gpu)


def program(name: str, milliseconds: float) -> list[str]:
    record = json.dumps({"name": name, "ms_per_step": milliseconds, "ktok_per_s": 1.0})
    return [sys.executable, "-c", f"print('started'); print('''{record}''')"]


def output(programs: list[list[str]], once: list[list[str]], *arguments: str) -> str:
    text = io.StringIO()
    with mock.patch.object(bench_gpu, "programs_of", lambda options: ("a step", programs, once)), \
         mock.patch.object(sys, "argv", ["bench_gpu", "t5", *arguments]), contextlib.redirect_stdout(text):
        bench_gpu.main()
    return text.getvalue()


class Rounds(unittest.TestCase):
    def test_programs_alternate_and_slow_ones_run_once(self):
        lines = output([program("rfs", 2.0), program("peer", 3.0)], [program("autotuned", 2.5)], "2").splitlines()
        self.assertEqual([line.split()[:3] for line in lines[1:6]],
                         [["round", "1", "rfs"], ["round", "1", "peer"], ["round", "1", "autotuned"],
                          ["round", "2", "rfs"], ["round", "2", "peer"]])
        self.assertIn("1.00 times rfs", lines[6])
        self.assertIn("1.50 times rfs", lines[7])

    def test_without_rfs_there_is_no_ratio(self):
        text = output([[sys.executable, "-c", "raise SystemExit('no GPU')"], program("peer", 3.0)], [])
        self.assertIn("failed: no GPU", text)
        self.assertIn("peer", text)
        self.assertNotIn("times rfs", text)

    def test_failures_are_told(self):
        for command, reason in [([sys.executable, "-c", "print('not JSON')"], "failed: its last line is not JSON"),
                                (["/no/such/program"], "No such file"),
                                ([sys.executable, "-c", "import time; time.sleep(9)"], "took over 0 s")]:
            self.assertIn(reason, output([command], [], "--timeout", "0.3"))


if __name__ == "__main__":
    unittest.main()
