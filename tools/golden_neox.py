#!/usr/bin/env python3
"""Writes a small GPT-NeoX model of `transformers` and its logits, for the tests of import and export.

    python3 tools/golden_neox.py linear|plain [--out tests/golden/neox]

`linear` has a tied head and linear RoPE scaling; `plain` has an untied head and plain RoPE. Weights are random, and large
enough that each of them affects the logits. OUT/NAME has the files of `save_pretrained`. OUT/NAME.safetensors has `ids`
[rows, tokens] (int64) and `logits` [rows, tokens, vocabulary] (float32). Needs PyTorch and transformers. The stored `linear`
comes from transformers 5.22 and `plain` from 4.57, because their forms of config.json differ.
"""

import argparse
import pathlib

import torch
from safetensors.torch import save_file
from transformers import GPTNeoXConfig, GPTNeoXForCausalLM

MODELS = {
    "linear": dict(tie_word_embeddings=True, rotary_pct=0.5, rope_scaling={"rope_type": "linear", "factor": 0.25}),
    "plain": dict(tie_word_embeddings=False, rotary_pct=1.0, rotary_emb_base=500),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=MODELS)
    parser.add_argument("--out", type=pathlib.Path, default="tests/golden/neox")
    arguments = parser.parse_args()
    config = GPTNeoXConfig(vocab_size=11, hidden_size=24, num_hidden_layers=2, num_attention_heads=3,
                           intermediate_size=20, hidden_act="gelu_new", use_parallel_residual=False,
                           max_position_embeddings=16, eos_token_id=3, layer_norm_eps=1e-4, **MODELS[arguments.name])
    model = GPTNeoXForCausalLM(config).eval()
    generator = torch.Generator().manual_seed(8)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            mean = 1.0 if "norm.weight" in name else 0.0
            weight.copy_(mean + 0.3 * torch.randn(weight.shape, generator=generator))
        ids = torch.randint(config.vocab_size, (3, 16), generator=generator)
        logits = model(ids).logits
    model.save_pretrained(arguments.out / arguments.name)
    (arguments.out / arguments.name / "generation_config.json").unlink()
    save_file({"ids": ids, "logits": logits.contiguous()}, arguments.out / f"{arguments.name}.safetensors")


if __name__ == "__main__":
    main()
