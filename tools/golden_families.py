#!/usr/bin/env python3
"""Writes small models of each family that rfs imports, and their logits in `transformers`, for the tests of import and export.

    python3 tools/golden_families.py [--out tests/golden/families]

OUT/NAME has the files of `save_pretrained`, in bfloat16. OUT/NAME.safetensors has `ids` [rows, tokens] (int64) and `logits`
[rows, tokens, vocabulary] (float32). The rows are as long as the model's window, or twice as long if it has no table of
positions. Needs PyTorch and transformers. The stored ones come from transformers 5.23.
"""

import argparse
import pathlib

import torch
from family_models import MODELS, make
from safetensors.torch import save_file


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("tests/golden/families"))
    arguments = parser.parse_args()
    for name in MODELS:
        model = make(name, arguments.out / name, torch.bfloat16)
        tokens = 32 if name == "gpt2" else 64
        ids = torch.randint(model.config.vocab_size, (2, tokens), generator=torch.Generator().manual_seed(4))
        with torch.no_grad():
            logits = model(ids).logits
        (arguments.out / name / "generation_config.json").unlink(missing_ok=True)
        save_file({"ids": ids, "logits": logits.contiguous()}, arguments.out / f"{name}.safetensors")


if __name__ == "__main__":
    main()
