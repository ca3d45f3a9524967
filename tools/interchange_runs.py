"""Small runs of GPT-2's block with RoPE for tools/check_hf and tools/check_gguf, and their logits as the program has them."""

import json
import pathlib
import random
import subprocess
import sys

from safetensors.numpy import load_file

SETTINGS = """
[positions]
use = ["random_float", "sequential", "interpolated"]
[encoding]
use = "rope"
[task]
words = 8
train_lengths = [2, 8]
test_lengths = [9, 10]
train_samples = 200
validation_samples = 7
test_samples = 2
[model]
preset = "gpt2"
layers = 2
width = 64
heads = 4
head_width = 16
feed_width = 96
tied = [true, false]
[train]
steps = 100
warmup = 5
batch = 16
learning_rate = 1e-3
validate_every = 0
seed = 3
"""


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def train(program, folder):
    """Trains the runs; their folders."""
    (folder / "settings.toml").write_text(SETTINGS)
    run(program, "train", folder / "settings.toml", "--out", folder / "runs")
    return sorted((folder / "runs").iterdir())


def trained_length(run_folder):
    return json.loads((run_folder / "train.json").read_text())["trained_length"]


def random_rows(lengths, vocabulary, seed=1):
    rng = random.Random(seed)
    return [[rng.randrange(vocabulary) for _ in range(length)] for length in lengths]


def our_logits(build, run_folder, rows, scratch):
    """An array [tokens, vocabulary] a row; the program plans each row at its own length."""
    (scratch / "rows.txt").write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    run(build / "rfs_logits", run_folder, scratch / "rows.txt", scratch / "logits.safetensors")
    tensors = load_file(scratch / "logits.safetensors")
    return [tensors[str(i)] for i in range(len(rows))]


def lengths_and_plans(trained):
    """Lengths below, at and above n_tr, each with the --tokens it is exported for (1: none)."""
    return [(trained // 2, 1), (trained - 1, 1), (trained, 1), (trained + 1, trained + 1), (2 * trained, 2 * trained),
            (10 * trained, 10 * trained)]


ROOT = pathlib.Path(__file__).resolve().parent.parent
