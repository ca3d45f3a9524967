"""Small runs with GPT-2's block and RoPE for tools/check_hf and tools/check_gguf, and their logits in rfs."""

import json
import pathlib
import random
import subprocess
import sys

from safetensors.numpy import load_file

ROOT = pathlib.Path(__file__).resolve().parent.parent

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

GPT2_SETTINGS = """
[tokenizer]
use = "gpt2"
[task]
words = 8
train_lengths = [2, 4]
test_lengths = [5, 6]
train_samples = 9
validation_samples = 3
test_samples = 2
[model]
preset = "gpt2"
layers = 1
width = 8
heads = 1
head_width = 8
feed_width = 8
[train]
steps = 2
warmup = 1
validate_every = 0
"""

TEXTS = ["Hello, world!", "  two  spaces\n\n", "naïve café 北京 👍🏽", "it's 12345 o'clock", "\t", "a" * 100]


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def train(program, folder):
    """Trains the runs and returns their folders."""
    (folder / "settings.toml").write_text(SETTINGS)
    run(program, "train", folder / "settings.toml", "--out", folder / "runs")
    return sorted((folder / "runs").iterdir())


def train_gpt2(program, folder):
    """Trains a run with GPT-2's tokenizer and returns its folder."""
    (folder / "gpt2.toml").write_text(GPT2_SETTINGS)
    run(program, "train", folder / "gpt2.toml", "--out", folder / "gpt2")
    return folder / "gpt2"


def gpt2_reference(hf):
    """A tiktoken encoding made from the files of an hf export."""
    import tiktoken
    from tiktoken.load import data_gym_to_mergeable_bpe_ranks
    ranks = data_gym_to_mergeable_bpe_ranks(str(hf / "merges.txt"), str(hf / "vocab.json"))
    pattern = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"""
    return tiktoken.Encoding("gpt2", pat_str=pattern, mergeable_ranks=ranks, special_tokens={"<|endoftext|>": 50256})


def trained_length(run_folder):
    return json.loads((run_folder / "train.json").read_text())["trained_length"]


def random_rows(lengths, vocabulary, seed=1):
    rng = random.Random(seed)
    return [[rng.randrange(vocabulary) for _ in range(length)] for length in lengths]


def our_logits(build, run_folder, rows, scratch):
    """One array [tokens, vocabulary] per row. The program uses each row's length as n_in."""
    (scratch / "rows.txt").write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    run(build / "rfs_logits", run_folder, scratch / "rows.txt", scratch / "logits.safetensors")
    tensors = load_file(scratch / "logits.safetensors")
    return [tensors[str(i)] for i in range(len(rows))]


def lengths_and_plans(trained):
    """Lengths below, at and above n_tr, each with the value of --tokens to export it with (1: no effect)."""
    return [(trained // 2, 1), (trained - 1, 1), (trained, 1), (trained + 1, trained + 1), (2 * trained, 2 * trained),
            (10 * trained, 10 * trained)]
