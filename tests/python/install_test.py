"""`pip install .` builds a package that works without the rest of the project."""

import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["RFS_SOURCE"]
BUILD = os.path.join(os.path.dirname(os.environ["PYTHONPATH"]), "pip_test")
USE = """
import pathlib, torch, rfs
print(pathlib.Path(rfs.__file__).parent)
print(rfs.random_float(torch.tensor([0, 5, 9]), 1000.0, 1).tolist())
"""


def run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode:
        raise AssertionError(result.stdout + result.stderr)
    return result.stdout


def use(folder):
    where, positions = run([sys.executable, "-c", USE], env={**os.environ, "PYTHONPATH": folder}, cwd=folder).splitlines()
    return os.path.dirname(where), positions


class Install(unittest.TestCase):
    def test_gives_the_same_positions(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            run([sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps",
                 "--no-build-isolation", "--target", folder, f"--config-settings=build-dir={BUILD}", SOURCE])
            where, positions = use(folder)
            self.assertEqual(where, folder)
            self.assertEqual(positions, use(os.environ["PYTHONPATH"])[1])


if __name__ == "__main__":
    unittest.main()
