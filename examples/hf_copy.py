"""Trains two small GPT-NeoX models of `transformers` to copy words: one with integer positions, one with RFS.

    python examples/hf_copy.py [--steps 1200] [--seed 1]

Training uses 2 to 10 words, the test up to 20. The table shows the share of 200 samples that were copied without a mistake.
Takes minutes on a CPU (on a busy machine OMP_NUM_THREADS=1 is faster). Needs torch, transformers and this package
(`pip install .`).
"""

import argparse
import time

import torch
from transformers import GPTNeoXConfig, GPTNeoXForCausalLM

import rfs.hf

WORDS, SEPARATOR, END, PADDING = 26, 26, 27, 28
TRAINED, TESTED = range(2, 11), range(2, 21, 2)
LONGEST = 2 * TRAINED[-1] + 1  # n_tr: the words twice and a separator; END is only a label


def batch(lengths, generator):
    """Padded rows w1 ... wn SEPARATOR w1 ... wn END, one for each n in `lengths`: inputs, and labels of the answers."""
    inputs = torch.full((len(lengths), 2 * max(lengths) + 1), PADDING)
    labels = torch.full_like(inputs, -100)
    for i, n in enumerate(lengths):
        words = torch.randint(WORDS, (n,), generator=generator)
        inputs[i, : 2 * n + 1] = torch.cat([words, torch.tensor([SEPARATOR]), words])
        labels[i, n : 2 * n + 1] = torch.cat([words, torch.tensor([END])])
    return inputs, labels


def small_model(seed):
    torch.manual_seed(seed)
    return GPTNeoXForCausalLM(GPTNeoXConfig(
        vocab_size=PADDING + 1, hidden_size=128, num_hidden_layers=2, num_attention_heads=4, intermediate_size=512,
        rotary_pct=1.0, use_parallel_residual=False, use_cache=False))


def logits(model, inputs):
    return model(input_ids=inputs, attention_mask=(inputs != PADDING).long()).logits


def train(name, model, steps, seed):
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda i: min((i + 1) / (0.06 * steps), (steps - i) / (0.94 * steps)))
    start = time.time()
    model.train()
    for step in range(1, steps + 1):
        lengths = [TRAINED[i] for i in torch.randint(len(TRAINED), (64,), generator=generator)]
        inputs, labels = batch(lengths, generator)
        loss = torch.nn.functional.cross_entropy(logits(model, inputs).flatten(0, 1), labels.flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 200 == 0 or step == steps:
            print(f"{name:8} step {step} of {steps}, loss {loss.item():.4f}, {time.time() - start:.0f} s", flush=True)


@torch.no_grad()
def exact_match(model, length, samples=200):
    """The share copied without a mistake. Greedy decoding is right if and only if every next token is right here."""
    model.eval()
    inputs, labels = batch([length] * samples, torch.Generator().manual_seed(length))
    right = (logits(model, inputs).argmax(2) == labels) | (labels == -100)
    return right.all(1).float().mean().item()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.steps < 1:
        parser.error(f"--steps: must be at least 1, got {arguments.steps}")

    models = {"integers": small_model(arguments.seed), "rfs": small_model(arguments.seed)}
    rfs.hf.use_random_float(models["rfs"], range=100.0, trained=LONGEST, seed=arguments.seed)
    for name, model in models.items():
        train(name, model, arguments.steps, arguments.seed)

    print(f"\nexact match, trained on {TRAINED[0]} to {TRAINED[-1]} words")
    print("words " + "".join(f"{name:>10}" for name in models))
    for length in TESTED:
        print(f"{length:5} " + "".join(f"{exact_match(model, length):10.2f}" for model in models.values()), flush=True)


if __name__ == "__main__":
    main()
