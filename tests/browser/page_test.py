"""Pages in a real browser: hover, click and read, and compare with the records. Without Chromium these tests are skipped."""

import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import webdriver

PROGRAM, SOURCE = os.environ["RFS_PROGRAM"], pathlib.Path(os.environ["RFS_SOURCE"])
RUNS = SOURCE / "results/runs/tiny-2000/copy"
SKIPPED = 77  # ctest shows this exit code as "Skipped"


def rfs(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def wilson(correct, total, z=1.959963984540054):
    """The 95 % interval of a share, computed a second time."""
    share, n = correct / total, total
    centre, half = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="rfs-pages-"))
        for name in ("rope-rfs", "rope-simple"):
            shutil.copytree(RUNS / name / "1", cls.folder / "runs" / name)
        evil = cls.folder / "runs/<img src=x onerror=alert(1)> & 'more'"
        shutil.copytree(RUNS / "none/1", evil)
        rfs("report", cls.folder / "runs", "--out", cls.folder / "report")
        cls.browser = webdriver.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder)

    def open(self, page):
        self.browser.log("performance")
        self.browser.log("browser")
        self.browser.open(page)

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])
        foreign = [url for url in self.browser.requests() if not url.startswith(("file:", "data:", "chrome:", "http://127.0.0.1"))]
        self.assertEqual(foreign, [], "the page asks the network")

    def chart(self, number=0):
        return f".chart:nth-of-type({number + 1})"

    def points(self, label):
        """The points of a line of the first figure."""
        return self.browser.script(
            "return [...document.querySelector('.chart').querySelectorAll('.line')].filter((line) => line.dataset.label === arguments[0])"
            ".flatMap((line) => [...line.querySelectorAll('.point')])", label)

    def test_hovering_shows_the_value_and_interval_of_the_record(self):
        self.open(self.folder / "report/index.html")
        for name, label in (("rope-rfs", "rope, random_float"), ("rope-simple", "rope, sequential")):
            lengths = json.loads((self.folder / "runs" / name / "eval.json").read_text())["lengths"]
            points = self.points(label)
            self.assertEqual(len(points), len(lengths), label)
            for i in (3, len(lengths) - 1):
                one = lengths[i]
                low, high = wilson(one["correct"], one["total"])
                if one["correct"] in (0, one["total"]) and name == "rope-simple":
                    continue  # both lines may have a point there
                self.browser.hover(points[i])
                said = self.browser.text("#tip").split("\n")
                trained = "trained" if one["trained"] else "not trained"
                self.assertEqual(said[:2], [label, f"length {one['length']} ({trained})"])
                self.assertAlmostEqual(float(said[2].split(": ")[1]), one["correct"] / one["total"], delta=6e-4)
                words = said[3].replace("95 % interval: ", "").split(" to ")
                for shown, expected in zip(map(float, words), (low, high)):
                    self.assertAlmostEqual(shown, expected, delta=6e-4)
                self.assertEqual(said[4], f"{one['total']} samples")

    def test_the_legend_switches_lines_off_and_on(self):
        self.open(self.folder / "report/index.html")
        label = "rope, sequential"
        self.assertGreater(len(self.points(label)), 0)
        button = self.browser.script("return [...document.querySelectorAll('.legend button')].find((b) => b.textContent === arguments[0])", label)
        self.browser.click(button)
        self.assertEqual(self.points(label), [])
        self.assertGreater(len(self.points("rope, random_float")), 0)
        self.browser.script("arguments[0].focus()", button)
        self.browser.press("\ue00d")  # space, as a reader without a mouse would
        self.assertGreater(len(self.points(label)), 0)

    def test_a_click_shows_the_record_and_its_command(self):
        self.open(self.folder / "report/index.html")
        self.browser.click(self.points("rope, random_float")[-1])
        record = json.loads((self.folder / "runs/rope-rfs/train.json").read_text())
        self.assertIn(record["provenance"]["command"], self.browser.text(".chosen"))
        href = self.browser.script("return document.querySelector('.chosen a').getAttribute('href')")
        self.assertEqual((self.folder / "report" / href).resolve(), (self.folder / "runs/rope-rfs").resolve())

    def test_arrow_keys_move_from_point_to_point(self):
        self.open(self.folder / "report/index.html")
        self.browser.script("document.querySelector('.panels svg').focus()")
        self.browser.press("\ue014")  # right: the first point
        self.browser.press("\ue014")
        self.assertIn("length 3", self.browser.text(".chosen"))
        self.browser.press("\ue015")  # down: the next line
        self.assertIn("length 3", self.browser.text(".chosen"))

    def test_names_are_text_and_never_code(self):
        self.open(self.folder / "report/index.html")
        self.assertEqual(self.browser.script("return document.querySelectorAll('img').length"), 0)

    def test_a_phone_shows_everything_in_its_width(self):
        with webdriver.Browser() as phone:
            phone.resize(390, 844, phone=True)
            phone.open(self.folder / "report/index.html")
            self.assertLessEqual(phone.script("return document.documentElement.scrollWidth"), 390)
            self.assertEqual(phone.complaints(), [])

    def test_the_page_of_all_results_chooses_tasks_and_measures(self):
        out = self.folder / "results"
        shutil.copytree(SOURCE / "results", out, ignore=shutil.ignore_patterns("*.png", "*.svg", "*.pdf"))
        rfs("reproduce", "copy", "--preset", "tiny", "--draw", "--out", out)
        self.assertLess((out / "index.html").stat().st_size, 2_000_000)
        self.open(out / "index.html")
        chart = "const chart = document.querySelector('#tasks-tiny ~ .chart'); "
        titles = "return [...chart.querySelectorAll('text.title')].map((title) => title.textContent)"
        all_tasks = self.browser.script(chart + titles)
        self.assertEqual(len(all_tasks), 6)
        self.browser.click(self.browser.script(chart + "return chart.querySelector('.choose button')"))
        self.assertEqual(self.browser.script(chart + titles), all_tasks[1:])
        self.browser.script(chart + "const select = chart.querySelector('select'); select.value = 1; select.dispatchEvent(new Event('change'))")
        label = self.browser.script(chart + "return chart.querySelector('.panels svg').getAttribute('aria-label')")
        self.assertIn("token accuracy", label)

    def test_attention_maps_show_the_weights_of_the_record(self):
        runs = self.folder / "small"
        small = ["train.steps=20", "train.warmup=2", "task.validation_samples=4", "task.test_samples=4", "task.train_samples=500"]
        rfs("train", SOURCE / "experiments/demo.toml", *[part for one in small for part in ("--set", one)], "--out", runs)
        rfs("eval", runs)
        rfs("attention", runs, "--lengths", "15,10")
        rfs("report", runs, "--out", self.folder / "small-report")
        self.open(self.folder / "small-report/index.html")
        buttons = self.browser.all(".attention .controls button")
        texts = [self.browser.script("return arguments[0].textContent", button) for button in buttons]
        self.assertEqual(texts, ["length 10 (trained)", "length 15 (not trained)"])
        self.assertEqual(len(self.browser.all(".attention canvas.map")), 2)
        self.browser.click(buttons[1])
        record = json.loads((runs / "sequential/attention.json").read_text())
        sample = record["samples"][1]
        self.browser.click(self.browser.all(".attention section:nth-of-type(2) .heads button")[5])  # layer 2, head 2
        size, packed = len(sample["tokens"]), sample["weights"][1][1]
        for query, key in ((size - 1, 0), (size - 3, 20), (7, 7)):
            canvas = self.browser.all(".attention canvas.map")[1]
            side = self.browser.script("return arguments[0].getBoundingClientRect().width", canvas)
            place = lambda at: round((at + 0.5) / size * side - side / 2)
            self.browser.hover(canvas, x=place(key), y=place(query))
            weight = int(packed[query * (query + 1) + 2 * key:][:2], 16) / 255
            self.assertEqual(self.browser.text("#tip").split("\n"), [
                f"weight {weight:.2f}", f"query: {sample['tokens'][query]} (token {query + 1})", f"key: {sample['tokens'][key]} (token {key + 1})"])
        self.assertIn("in training 0 to 22", self.browser.text(".attention section:nth-of-type(2) mark"))
        written = self.browser.text(".attention section:nth-of-type(2) p.tokens")
        self.assertEqual(written.split(": ", 1)[1].split(), sample["predicted"])

    def test_the_live_page_follows_runs_and_ends_with_ctrl_c(self):
        runs = self.folder / "live"
        watch = subprocess.Popen([PROGRAM, "watch", runs, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            address = re.search(r"http://127\.0\.0\.1:\d+/", watch.stdout.readline())[0]
            self.open(address)
            self.browser.wait(lambda: "No runs yet" in self.browser.text(".runs"))
            source = RUNS / "rope-rfs/1"
            (runs / "mine").mkdir(parents=True)
            shutil.copy(source / "settings.toml", runs / "mine")
            lines = (source / "metrics.jsonl").read_text().splitlines(keepends=True)
            for count in (5, 9):
                (runs / "mine/metrics.jsonl").write_text("".join(lines[:count]))
                step = json.loads(lines[count - 1])["step"]
                self.browser.wait(lambda: f"{step} of 2000" in self.browser.text(".runs"))
                # The table is filled before the figures.
                self.browser.wait(lambda: len(self.browser.all(".chart")) > 0 and len(self.points("mine")) == count)
        finally:
            watch.send_signal(signal.SIGINT)
            out, error = watch.communicate(timeout=20)
        self.assertEqual((watch.returncode, out), (0, ""), error)


if __name__ == "__main__":
    if not all(webdriver.programs()):
        print("NOT TESTED: the pages in a browser, because chromium or chromedriver is not installed; "
              "install chromium and chromium-driver (tools/setup --full as root)")
        sys.exit(SKIPPED)
    unittest.main()
