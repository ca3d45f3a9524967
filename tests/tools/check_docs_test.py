"""Tests of tools/check_docs: it must complain about pages that are wrong."""

import contextlib
import importlib.machinery
import importlib.util
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
PATH = Path(__file__).resolve().parents[2] / "tools/check_docs"
LOADER = importlib.machinery.SourceFileLoader("check_docs", str(PATH))
check_docs = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_docs", LOADER))
sys.modules["check_docs"] = check_docs
LOADER.exec_module(check_docs)


class SameLine(unittest.TestCase):
    def same(self, shown: str, printed: str, quick: bool = False) -> None:
        self.assertTrue(check_docs.same_line(shown, printed, quick), f"{shown!r} and {printed!r}")

    def differ(self, shown: str, printed: str, quick: bool = False) -> None:
        self.assertFalse(check_docs.same_line(shown, printed, quick), f"{shown!r} and {printed!r}")

    def test_text_is_exact(self):
        self.same("Next: rfs eval runs/mine", "Next: rfs eval runs/mine  ")
        self.differ("Next: rfs eval runs/mine", "Next: rfs eval runs/yours")
        self.differ("  smallest   = 0.25", "  smallest   = 0.26")
        self.differ("  smallest   = 0.25", "  smallest = 0.25")
        self.differ("23.6235   37.7806", "23.6235   37.7807")
        self.differ("test            200 samples", "test            201 samples")

    def test_times_rates_and_sizes_have_any_value(self):
        self.same("compiled in 3 min 20 s", "compiled in 45 s")
        self.same("44.4 k tok/s", "1.2 M tok/s")
        self.same("memory: about 34 MB of 25.3 GB", "memory: about 34 MB of 1.1 TB")
        self.differ("memory: about 34 MB of 25.3 GB", "memory: about 34 MB")
        self.differ("took 40 s", "took 40 steps")
        self.differ("took 40 s", "took s")

    def test_accuracies_have_a_tolerance(self):
        self.same("exact match .94 on trained lengths, .56 on longer ones", "exact match .90 on trained lengths, .66 on longer ones")
        self.same("exact match .94", "exact match 1.00")
        self.differ("exact match .56", "exact match .67")
        self.differ("exact match .94 on trained lengths, .56 on longer ones", "exact match .94 on trained lengths, .00 on longer ones")
        self.differ("exact match .94", "exact match")
        self.same("exact match .56", "exact match .00", quick=True)
        self.differ("exact match .56", "exact match none", quick=True)

    def test_losses_and_steps(self):
        line = "trained: {} steps in 40 s, loss {}, best validation .94 at step {}, 44.4 k tok/s"
        shown = line.format(2000, 0.0593, 2000)
        self.same(shown, line.format(2000, 0.1, 1900))
        self.differ(shown, line.format(2000, 0.2, 2000))
        self.differ(shown, line.format(20, 0.0593, 2000))
        self.same(shown, line.format(20, 3.73, 20), quick=True)

    def test_tables(self):
        self.same("| sequential   |        1.00 (.99-1.00) | 88 s |", "| sequential |  1.00 | 2 min 1 s |")
        self.same("| ------------ | ---: |", "| -------- | -----: |")
        self.same("| model        | training |", "| model | training |")
        self.differ("| model        | training |", "| method | training |")
        self.differ("| sequential   | .94 | 1 | 88 s |", "| sequential   | .94 | 2 | 88 s |")

    def test_dots_stand_for_anything(self):
        self.same("known: train.seed, train.steps, ...", "known: train.seed, train.steps, train.batch, train.tier")
        self.differ("known: train.seed, train.steps, ...", "known: train.seed, train.batch")


class Compare(unittest.TestCase):
    printed = ["one", "two", "three", "four"]

    def test_all_lines(self):
        self.assertEqual(check_docs.compare(self.printed, self.printed), "")
        self.assertIn("printed: four", check_docs.compare(self.printed[:3], self.printed))
        self.assertIn("printed: (nothing)", check_docs.compare([*self.printed, "five"], self.printed))
        self.assertIn("shown:   TWO", check_docs.compare(["one", "TWO", "three", "four"], self.printed))
        self.assertIn("printed: one", check_docs.compare([], self.printed))

    def test_excerpt(self):
        self.assertEqual(check_docs.compare(["two", "three"], self.printed, excerpt=True), "")
        self.assertIn("printed: three", check_docs.compare(["two", "four"], self.printed, excerpt=True))

    def test_left_out_lines(self):
        self.assertEqual(check_docs.compare(["one", "...", "four"], self.printed), "")
        self.assertEqual(check_docs.compare(["one", "..."], self.printed), "")
        self.assertEqual(check_docs.compare(["...", "four"], self.printed), "")
        self.assertNotEqual(check_docs.compare(["one", "...", "three"], self.printed), "")
        self.assertNotEqual(check_docs.compare(["two", "...", "four"], self.printed), "")

    def test_progress_is_ignored(self):
        text = "\nsequential    38 %  765 of 2000 samples\nsequential     evaluated in 1 s\n\n"
        self.assertEqual(check_docs.without_progress(text), ["sequential     evaluated in 1 s"])


class Pages(unittest.TestCase):
    def setUp(self):
        files = check_docs.project_files
        check_docs.project_files = list  # the pages here need no file of the project
        self.addCleanup(setattr, check_docs, "project_files", files)

    def run_page(self, text: str) -> tuple[int, str]:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
            page, program = Path(folder, "page.md"), Path(folder, "rfs")
            page.write_text(text)
            program.touch()
            with contextlib.redirect_stderr(out):
                return check_docs.main(["--quick", "--build", folder, str(page)]), out.getvalue()

    def test_right_page(self):
        code, out = self.run_page(
            "<!-- check: file=note.txt -->\n```text\none\ntwo\n```\nSee:\n```\ncat note.txt\n```\nprints\n```\none\ntwo\n```\n"
        )
        self.assertEqual(code, 0, out)
        self.assertIn("1 commands run, 1 outputs compared", out)

    def test_wrong_output(self):
        code, out = self.run_page("```\n$ echo one\none\n$ echo two\nthree\n```\n")
        self.assertEqual(code, 1)
        self.assertIn("shown:   three\n    printed: two", out)

    def test_wrong_exit_code(self):
        code, out = self.run_page("```\ncat missing.txt\n```\n")
        self.assertEqual(code, 1)
        self.assertIn("exit code 1 instead of 0", out)
        self.assertEqual(self.run_page("<!-- check: exit=1 -->\n```\ncat missing.txt\n```\n")[0], 0)
        self.assertEqual(self.run_page("<!-- check: exit=1 -->\n```\necho fine\n```\n")[0], 1)

    def test_commands_that_compile_are_skipped(self):
        code, out = self.run_page("```\nmake test\necho one\n```\n```\nnot compared\n```\n<!-- check: full -->\n```\nrfs list mine\n```\n")
        self.assertEqual(code, 0, out)
        self.assertIn("1 commands run, 0 outputs compared, 2 commands skipped", out)

    def test_pages_that_cannot_be_read(self):
        self.assertEqual(self.run_page("```\nan output without a command\n```\n")[0], 2)
        self.assertEqual(self.run_page("<!-- check: exerpt -->\n```\necho one\n```\n")[0], 2)
        self.assertEqual(self.run_page("No command at all.\n")[0], 2)

    def test_aliases_stay(self):
        code, out = self.run_page("```\nalias say=echo\n```\n```\n$ say one\none\n```\n")
        self.assertEqual(code, 0, out)

    def test_quick_forms(self):
        self.assertTrue(check_docs.quick_form("rfs train a.toml --out b  # a note").startswith("rfs train a.toml --out b --set train.steps=20"))
        self.assertTrue(check_docs.quick_form("make demo").startswith("build/cpu/rfs demo --set train.steps=20"))
        self.assertEqual(check_docs.quick_form("build/cpu/rfs list"), "build/cpu/rfs list")
        self.assertEqual(check_docs.quick_form("cmake --preset cpu && cmake --build --preset cpu"), "")


if __name__ == "__main__":
    unittest.main()
