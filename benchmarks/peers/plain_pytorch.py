#!/usr/bin/env python3
"""The demo's small copy model in plain PyTorch, for comparison with the C++ code.

    python3 benchmarks/peers/plain_pytorch.py [--steps 200] [--threads 2]             time training steps
    python3 benchmarks/peers/plain_pytorch.py --train 2000 [--indexing sequential]      train, then test

The code is what a competent PyTorch user would write: rows padded on the right, PyTorch's modules and kernels, no Python loop
over rows, batches built in advance. Where the same thing can be written in two ways (attention, rotation, optimizer), it uses
the one that is faster on a CPU. Both modes print one line of JSON.

The task is to repeat n of 26 words. A row has 2n + 3 tokens: `Copy:`, n words, a separator, n words, end. Training uses n of
2..10. The model is a decoder with T5's block (pre-norm RMSNorm, no biases, ReLU, unscaled scores, head tied to the embedding)
and RoPE on all dimensions of each head, as in experiments/demo.toml. With Random Float Sampling, a training row of m tokens
gets m sorted uniform positions in [0, 1000); at inference positions are evenly spaced.
"""

import argparse
import json
import statistics
import time

import torch
import torch.nn.functional as F
from torch import Tensor, nn

# Shapes:  S steps, B rows, T tokens of the padded rows, D width, H heads, E head width, F feed width,
#          R rotated dimensions of a head.

VOCABULARY = 32  # rows of the embedding, of which 30 are used
PAD, END, COPY, SEPARATOR, FIRST_WORD = range(5)
WORDS = 26

LAYERS, WIDTH, HEADS, HEAD_WIDTH, FEED_WIDTH, ROTATED = 2, 128, 4, 32, 512, 32
ROTARY_BASE = 10_000.0

BATCH = 64
TRAIN_LENGTHS = (2, 10)
TEST_LENGTHS = (11, 20)
RANGE = 1000.0  # L
LEARNING_RATE, WARM_UP, WEIGHT_DECAY, CLIP_NORM = 1e-3, 0.06, 0.05, 1.0
IGNORED = -100  # label of tokens without loss: prompt and padding


def tokens_of(length: int | Tensor) -> int | Tensor:
    """The number of tokens in a row that copies `length` words."""
    return 2 * length + 3


LONGEST = tokens_of(TRAIN_LENGTHS[1])  # n_tr


# --- Data ------------------------------------------------------------------------------------------------------


def draw_rows(lengths: Tensor, padded: int, generator: torch.Generator) -> Tensor:
    """Tokens [..., T] of random rows that copy `lengths` [...] words each, padded to T = `padded` tokens."""
    longest = (padded - tokens_of(0)) // 2
    words = torch.randint(FIRST_WORD, FIRST_WORD + WORDS, (*lengths.shape, longest), generator=generator)
    n = lengths[..., None]
    t = torch.arange(padded).expand(*lengths.shape, padded)
    place = torch.where(t <= n, t - 1, t - n - 2).clamp(0, longest - 1)
    tokens = words.gather(-1, place)
    tokens = tokens.masked_fill(t == 0, COPY).masked_fill(t == n + 1, SEPARATOR)
    return tokens.masked_fill(t == 2 * n + 2, END).masked_fill(t > 2 * n + 2, PAD)


def labels_of(tokens: Tensor, lengths: Tensor) -> Tensor:
    """The next token of every token but the last, if it belongs to an answer; otherwise IGNORED."""
    n = lengths[..., None]
    t = torch.arange(1, tokens.shape[-1])
    return tokens[..., 1:].masked_fill((t < n + 2) | (t > 2 * n + 2), IGNORED)


# --- Positions -------------------------------------------------------------------------------------------------


def training_positions(indexing: str, row_tokens_B: Tensor, padded: int) -> Tensor:
    t = torch.arange(padded)
    if indexing == "sequential":
        return t.float().expand(len(row_tokens_B), padded)
    uniform_BT = torch.rand(len(row_tokens_B), padded)
    uniform_BT.masked_fill_(t >= row_tokens_B[:, None], 1.0)  # padding sorts to the end
    return RANGE * uniform_BT.sort(dim=-1).values


def inference_positions(indexing: str, tokens: int) -> Tensor:
    i = torch.arange(1, tokens + 1, dtype=torch.float32)
    if indexing == "sequential":
        return i - 1
    return RANGE * (2 * i - 1) / (2 * max(LONGEST, tokens))


# --- Model -----------------------------------------------------------------------------------------------------


def rotation_of(positions_BT: Tensor) -> Tensor:
    """Cosine and sine [2,B,T,1,R/2] of the angles position * 10000^(-2k/R), computed once per step for all layers."""
    frequency = ROTARY_BASE ** (-torch.arange(0, ROTATED, 2) / ROTATED)
    angle = positions_BT[:, :, None, None] * frequency
    return torch.stack((angle.cos(), angle.sin()))


def rotate(x_BTHE: Tensor, rotation: Tensor) -> Tensor:
    """Rotates the pairs (2k, 2k+1) of the first R dimensions. Complex numbers are faster, but the compiler does not generate
    code for them."""
    cos, sin = rotation
    turning, rest = x_BTHE.split((ROTATED, HEAD_WIDTH - ROTATED), dim=-1)
    pairs = turning.unflatten(-1, (-1, 2))
    if torch.compiler.is_compiling():
        a, b = pairs.unbind(-1)
        turned = torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1)
    else:
        turned = torch.view_as_real(torch.view_as_complex(pairs) * torch.complex(cos, sin))
    return torch.cat((turned.flatten(-2), rest), dim=-1)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        inner = HEADS * HEAD_WIDTH
        self.attention_norm = nn.RMSNorm(WIDTH, eps=1e-6)
        self.qkv = nn.Linear(WIDTH, 3 * inner, bias=False)
        self.out = nn.Linear(inner, WIDTH, bias=False)
        self.feed_norm = nn.RMSNorm(WIDTH, eps=1e-6)
        self.feed_in = nn.Linear(WIDTH, FEED_WIDTH, bias=False)
        self.feed_out = nn.Linear(FEED_WIDTH, WIDTH, bias=False)
        nn.init.normal_(self.qkv.weight, std=WIDTH**-0.5)
        nn.init.normal_(self.qkv.weight[:inner], std=(WIDTH * HEAD_WIDTH) ** -0.5)
        nn.init.normal_(self.out.weight, std=inner**-0.5)
        nn.init.normal_(self.feed_in.weight, std=WIDTH**-0.5)
        nn.init.normal_(self.feed_out.weight, std=FEED_WIDTH**-0.5)

    def forward(self, x_BTD: Tensor, rotation: Tensor, mask_TT: Tensor) -> Tensor:
        x_BTD = x_BTD + self.attend(self.attention_norm(x_BTD), rotation, mask_TT)
        return x_BTD + self.feed_out(F.relu(self.feed_in(self.feed_norm(x_BTD))))

    def attend(self, x_BTD: Tensor, rotation: Tensor, mask_TT: Tensor) -> Tensor:
        q, k, v = self.qkv(x_BTD).unflatten(-1, (3, HEADS, HEAD_WIDTH)).unbind(2)
        q_BHTE, k_BHTE, v_BHTE = (x.transpose(1, 2) for x in (rotate(q, rotation), rotate(k, rotation), v))
        # At this size, this is at least as fast as scaled_dot_product_attention(scale=1.0).
        attention_BHTT = (q_BHTE @ k_BHTE.transpose(-1, -2) + mask_TT).softmax(dim=-1)
        return self.out((attention_BHTT @ v_BHTE).transpose(1, 2).flatten(2))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH)  # N(0, 1)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.final_norm = nn.RMSNorm(WIDTH, eps=1e-6)

    def forward(self, tokens_BT: Tensor, positions_BT: Tensor) -> Tensor:
        """Logits [B,T,V] of the next token. Padding is on the right, so the causal mask also hides it from all tokens with a
        loss."""
        T = tokens_BT.shape[1]
        mask_TT = torch.full((T, T), float("-inf")).triu(1)
        rotation = rotation_of(positions_BT)
        x_BTD = self.embedding(tokens_BT)
        for block in self.blocks:
            x_BTD = block(x_BTD, rotation, mask_TT)
        return F.linear(self.final_norm(x_BTD) * WIDTH**-0.5, self.embedding.weight)


# --- Training --------------------------------------------------------------------------------------------------


class Trainer:
    """The model, its optimizer and the batches of all steps, drawn in advance."""

    def __init__(self, steps: int, seed: int, indexing: str, pad: str, compiled: bool):
        torch.manual_seed(seed)
        generator = torch.Generator().manual_seed(seed)
        self.indexing, self.pad = indexing, pad
        self.lengths_SB = torch.randint(TRAIN_LENGTHS[0], TRAIN_LENGTHS[1] + 1, (steps, BATCH), generator=generator)
        self.tokens_SBT = draw_rows(self.lengths_SB, LONGEST, generator)
        self.labels_SBT = labels_of(self.tokens_SBT, self.lengths_SB)

        self.model = Decoder()
        self.parameters = list(self.model.parameters())
        self.optimizer = torch.optim.AdamW([
            {"params": [p for p in self.parameters if p.dim() > 1], "weight_decay": WEIGHT_DECAY},
            {"params": [p for p in self.parameters if p.dim() == 1], "weight_decay": 0.0},
        ], lr=LEARNING_RATE, fused=True)
        warm_up = max(1, round(WARM_UP * steps))
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer, lambda step: min((step + 1) / warm_up, (steps - step) / max(1, steps - warm_up)))
        self.loss = torch.compile(self.eager_loss, dynamic=pad == "longest") if compiled else self.eager_loss

    def eager_loss(self, tokens_BT: Tensor, positions_BT: Tensor, labels_BT: Tensor) -> Tensor:
        logits_BTV = self.model(tokens_BT, positions_BT)
        return F.cross_entropy(logits_BTV.flatten(0, 1), labels_BT.flatten(), ignore_index=IGNORED)

    def step(self, index: int) -> Tensor:
        """Trains on batch `index` and returns its loss. The last token of a padded row predicts nothing and is left out."""
        row_tokens_B = tokens_of(self.lengths_SB[index])
        padded = LONGEST if self.pad == "max" else int(row_tokens_B.max())
        tokens_BT = self.tokens_SBT[index, :, : padded - 1]
        labels_BT = self.labels_SBT[index, :, : padded - 1]
        positions_BT = training_positions(self.indexing, row_tokens_B, padded)[:, :-1]

        loss = self.loss(tokens_BT, positions_BT, labels_BT)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters, CLIP_NORM)
        self.optimizer.step()
        self.schedule.step()
        return loss.detach()


def exact_match(model: Decoder, indexing: str, length: int, samples: int, generator: torch.Generator) -> float:
    """The share of answers in which every token is the arg max, given the true tokens before it. Greedy decoding with a known
    n_in gets the same answers right."""
    padded = tokens_of(length)
    lengths = torch.full((samples,), length)
    tokens = draw_rows(lengths, padded, generator)
    labels = labels_of(tokens, lengths)
    positions = inference_positions(indexing, padded)[:-1].expand(samples, -1)
    with torch.no_grad():
        guesses = model(tokens[:, :-1], positions).argmax(-1)
    return ((guesses == labels) | (labels == IGNORED)).all(-1).float().mean().item()


def time_steps(trainer: Trainer, warm_up: int, steps: int) -> dict:
    milliseconds = []
    for index in range(warm_up + steps):
        begin = time.perf_counter()
        loss = trainer.step(index)
        milliseconds.append(1e3 * (time.perf_counter() - begin))
    tokens = tokens_of(trainer.lengths_SB[warm_up:]).sum(-1)
    return {
        "ms_per_step": round(statistics.median(milliseconds[warm_up:]), 3),
        "steps": steps,
        "threads": torch.get_num_threads(),
        "tokens_per_step": round(tokens.double().mean().item(), 1),
        "loss": round(loss.item(), 5),
    }


def train_and_test(trainer: Trainer, steps: int, seed: int, samples: int = 256) -> dict:
    begin = time.perf_counter()
    for index in range(steps):
        loss = trainer.step(index)
    seconds = time.perf_counter() - begin
    generator = torch.Generator().manual_seed(seed + 1)
    by_length = {length: exact_match(trainer.model, trainer.indexing, length, samples, generator)
                 for length in range(TRAIN_LENGTHS[0], TEST_LENGTHS[1] + 1)}

    def mean(first: int, last: int) -> float:
        return round(statistics.mean(by_length[length] for length in range(first, last + 1)), 4)

    return {
        "indexing": trainer.indexing,
        "steps": steps,
        "threads": torch.get_num_threads(),
        "seconds": round(seconds, 1),
        "loss": round(loss.item(), 5),
        "exact_match_2_10": mean(*TRAIN_LENGTHS),
        "exact_match_11_20": mean(*TEST_LENGTHS),
        "exact_match": {length: round(share, 3) for length, share in by_length.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Time (or train) the small copy model in plain PyTorch.")
    parser.add_argument("--steps", type=int, default=200, help="timed steps (%(default)s)")
    parser.add_argument("--warmup", type=int, default=20, help="untimed steps before them (%(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="%(default)s")
    parser.add_argument("--seed", type=int, default=1, help="%(default)s")
    parser.add_argument("--pad", choices=("longest", "max"), default="max",
                        help=f"pad to the longest row of a batch, or to {LONGEST} tokens (%(default)s)")
    parser.add_argument("--indexing", choices=("random_float", "sequential"), default="random_float",
                        help="positions (%(default)s)")
    parser.add_argument("--compile", action="store_true", help="use torch.compile")
    parser.add_argument("--train", type=int, metavar="N", help="train N steps and test, instead of measuring time")
    options = parser.parse_args()

    torch.set_num_threads(options.threads)
    steps = options.train or options.warmup + options.steps
    trainer = Trainer(steps, options.seed, options.indexing, options.pad, options.compile)
    version = torch.__version__.split("+")[0]
    name = {"name": f"PyTorch {version} {'compiled' if options.compile else 'eager'}"}
    if options.train:
        print(json.dumps(name | train_and_test(trainer, options.train, options.seed)))
    else:
        print(json.dumps(name | time_steps(trainer, options.warmup, options.steps)))


if __name__ == "__main__":
    main()
