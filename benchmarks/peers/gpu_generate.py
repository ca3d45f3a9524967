#!/usr/bin/env python3
"""Greedy decoding of GPT-2's size with `transformers` on one GPU, for comparison with rfs_decode_benchmark.

    python3 benchmarks/peers/gpu_generate.py --rows 64

A GPT-2 with random weights in bf16 extends random prompts with `generate` and its key-value cache. With --static, the cache
has a fixed size, and `transformers` compiles the step by itself. Prints one line of JSON.
"""

import argparse
import json
import statistics
import time

import torch
import transformers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1)
    parser.add_argument("--prompt", type=int, default=128)
    parser.add_argument("--tokens", type=int, default=256)
    parser.add_argument("--static", action="store_true", help="a cache of fixed size")
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()

    torch.manual_seed(1)
    config = transformers.GPT2Config()
    model = transformers.GPT2LMHeadModel(config).to(given.device, torch.bfloat16).eval()
    prompts = torch.randint(config.vocab_size, (given.rows, given.prompt), device=given.device)
    options = {"cache_implementation": "static"} if given.static else {}

    def seconds(tokens: int) -> float:
        if given.device == "cuda":
            torch.cuda.synchronize()
        begin = time.perf_counter()
        with torch.inference_mode():
            made = model.generate(
                prompts, attention_mask=torch.ones_like(prompts), max_new_tokens=tokens, min_new_tokens=tokens,
                do_sample=False, pad_token_id=config.eos_token_id, **options,
            )
        if given.device == "cuda":
            torch.cuda.synchronize()
        assert made.shape[1] == given.prompt + tokens
        return time.perf_counter() - begin

    seconds(given.tokens)
    first = statistics.median(seconds(1) for _ in range(3))
    whole = statistics.median(seconds(given.tokens) for _ in range(3))
    step = (whole - first) / (given.tokens - 1)
    name = f"transformers {transformers.__version__}" + (", static cache" if given.static else "")
    print(json.dumps({
        "name": name, "model": "gpt2", "rows": given.rows, "prompt": given.prompt, "tokens": given.tokens,
        "prompt_ms": round(1e3 * first, 3), "ms_per_step": round(1e3 * step, 4), "tokens_per_s": round(given.rows / step),
    }))


if __name__ == "__main__":
    main()
