#!/usr/bin/env python3
"""Training steps of the large models in PyTorch on one GPU, for comparison with the C++ engine.

    python3 benchmarks/peers/gpu_pytorch.py --model t5 --mode graph                       the copy task's step
    python3 benchmarks/peers/gpu_pytorch.py --model gpt2 --mode compile --rows 480 --tokens 87

A step draws positions, runs forward and backward under bf16 autocast, clips to a global norm of 1 and applies AdamW (fused,
fp32 weights), on a new batch each time. The code is what a competent user would write. Rows are padded on the right to one
length, so that the causal mask also hides the padding. Kernels are PyTorch's. All batches are drawn in advance on the GPU,
and nothing is read back before the last step.

Modes:  eager           no compilation
        compile         the loss function through torch.compile
        graph           the whole eager step as one CUDA graph
        compile-graphs  the whole step of `compile` as one CUDA graph

t5      T5's block as a decoder (pre-norm RMSNorm, no biases, ReLU, unscaled scores, dropout 0.1, output head tied to the
        embedding and scaled by width^-0.5). 64 rows of the copy task: 2..20 words give 7 + 2n tokens, of which the last
        n + 1 are targets; padded to 47. Logits are computed for every token, or only for targets (--gather). With --unpadded,
        all rows have the mean length of 29 tokens (11 words), and only targets get logits: the cost of perfectly packed rows.
gpt2    GPT-2's block (LayerNorm, biases, GELU, scaled scores, no dropout, tied head). Full rows; every token is a target.
llama   Llama's block at GPT-2's size (RMSNorm, no biases, SwiGLU of 2,048, 4 heads of keys and values, untied head).

All models rotate the first 16 dimensions of each head by float positions: sorted uniform values in [0, 1000), one per token.
Token ids are random.

CUDA events between the steps measure the time, so it includes waiting for the host. Prints one line of JSON. `--device cpu`
runs every mode without CUDA graphs, to test the program with small sizes.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

# Shapes:  S steps, B rows, T tokens of the padded rows, K gathered targets, D width, H heads, E head width, V
#          vocabulary, N tokens or targets that get logits.

HEAD_WIDTH, ROTATED, ROTARY_BASE = 64, 16, 10_000.0
RANGE = 1000.0  # L
WEIGHT_DECAY, CLIP_NORM = 0.05, 1.0
WORDS = (2, 20)  # n of a row of the copy task, which has 7 + 2n tokens
IGNORED = -100  # label of tokens without loss: prompt and padding
SDPA_KERNELS = ("flash", "cudnn", "mem_efficient", "math")
STEPS_BEFORE_CAPTURE = 5  # so that code is compiled, and library handles and optimizer state exist


@dataclass(frozen=True)
class Shape:
    block: str  # t5, gpt2, llama
    used_ids: int
    vocabulary: int  # rows of the embedding
    rows: int
    tokens: int  # in a padded row
    dropout: float
    learning_rate: float
    layers: int = 12
    heads: int = 12
    kv_heads: int = 12

    @property
    def t5(self) -> bool:
        return self.block == "t5"

    @property
    def llama(self) -> bool:
        return self.block == "llama"

    @property
    def width(self) -> int:
        return self.heads * HEAD_WIDTH


SHAPES = {
    "t5": Shape(block="t5", used_ids=32_100, vocabulary=32_128, rows=64, tokens=47, dropout=0.1, learning_rate=3e-5),
    "gpt2": Shape(block="gpt2", used_ids=50_257, vocabulary=50_304, rows=32, tokens=1024, dropout=0.0, learning_rate=6e-4),
    "llama": Shape(block="llama", used_ids=50_257, vocabulary=50_304, rows=32, tokens=1024, dropout=0.0,
                   learning_rate=6e-4, kv_heads=4),
}


# --- Data ------------------------------------------------------------------------------------------------------


class Batch(NamedTuple):
    tokens_BT: Tensor
    lengths_B: Tensor  # tokens of each row that are not padding
    labels_N: Tensor  # the next token of each token; N = B * T, or K
    targets_K: Tensor | None  # indices, in B * T, of the tokens that get logits; None: all


def draw_batches(shape: Shape, steps: int, gather: int, unpadded: bool, seed: int, device: torch.device) -> list[Batch]:
    generator = torch.Generator(device).manual_seed(seed)

    def draw(first: int, end: int, *size: int) -> Tensor:
        return torch.randint(first, end, size, generator=generator, device=device)

    S, B, T = steps, shape.rows, shape.tokens
    stream_SBT = draw(3, min(shape.used_ids, shape.vocabulary), S, B, T + 1)
    tokens_SBT, labels_SBT = stream_SBT[..., :-1].contiguous(), stream_SBT[..., 1:].contiguous()
    if shape.t5:
        longest = min(WORDS[1], (T - 7) // 2)
        words_SB1 = draw(longest if unpadded else WORDS[0], longest + 1, S, B, 1)
        lengths_SB1 = 7 + 2 * words_SB1
        t = torch.arange(T, device=device)
        tokens_SBT.masked_fill_(t >= lengths_SB1, 0)
        labels_SBT.masked_fill_((t < lengths_SB1 - words_SB1 - 2) | (t > lengths_SB1 - 2), IGNORED)
    else:
        lengths_SB1 = torch.full((S, B, 1), T, device=device)

    labels_SN = labels_SBT.flatten(1)
    targets_SK = None
    if gather:
        is_target_SN = labels_SN != IGNORED
        if (most := int(is_target_SN.sum(1).max())) > gather:
            raise SystemExit(f"a batch has {most} targets, more than --gather {gather}")
        # Targets come first. Other tokens, with the label IGNORED, fill up to K.
        targets_SK = is_target_SN.int().argsort(dim=1, descending=True, stable=True)[:, :gather].contiguous()
        labels_SN = labels_SN.gather(1, targets_SK)
    return [Batch(tokens_SBT[s], lengths_SB1[s, :, 0], labels_SN[s], None if targets_SK is None else targets_SK[s])
            for s in range(S)]


def draw_positions(lengths_B: Tensor, tokens: int) -> Tensor:
    uniform_BT = torch.rand(len(lengths_B), tokens, device=lengths_B.device)
    padding_BT = torch.arange(tokens, device=lengths_B.device) >= lengths_B[:, None]
    return RANGE * uniform_BT.masked_fill_(padding_BT, 1.0).sort(dim=-1).values  # padding has 1, so it sorts to the end


# --- Model -----------------------------------------------------------------------------------------------------


def rotation_of(positions_BT: Tensor) -> Tensor:
    """Rotation [B,T,1,1,R/2] by the angles position * 10000^(-2k/R), computed once per step for all layers. Complex numbers
    need the fewest launches. Compiled code gets stacked cosines and sines, because the compiler only fuses those."""
    exponent = -torch.arange(0, ROTATED, 2, device=positions_BT.device) / ROTATED
    angle = positions_BT[:, :, None, None, None] * ROTARY_BASE**exponent
    if torch.compiler.is_compiling():
        return torch.stack((angle.cos(), angle.sin()))
    return torch.polar(torch.ones_like(angle), angle)


def rotate(x: Tensor, rotation: Tensor) -> Tensor:
    """Rotates the pairs (2k, 2k+1) of the first R dimensions of x [B,T,1,heads,E], in fp32."""
    turning, rest = x.split((ROTATED, HEAD_WIDTH - ROTATED), dim=-1)
    pairs = turning.float().unflatten(-1, (-1, 2))
    if rotation.is_complex():
        turned = torch.view_as_real(torch.view_as_complex(pairs) * rotation)
    else:
        a, b = pairs.unbind(-1)
        cos, sin = rotation
        turned = torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1)
    return torch.cat((turned.flatten(-2).type_as(x), rest), dim=-1)


def make_norm(shape: Shape) -> nn.Module:
    return nn.LayerNorm(shape.width) if shape.block == "gpt2" else nn.RMSNorm(shape.width, eps=1e-6)


class Block(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        D, bias = shape.width, shape.block == "gpt2"
        feed = 2_048 if shape.llama else 4 * D
        self.attention_norm = make_norm(shape)
        self.qkv = nn.Linear(D, (shape.heads + 2 * shape.kv_heads) * HEAD_WIDTH, bias=bias)
        self.out = nn.Linear(D, D, bias=bias)
        self.feed_norm = make_norm(shape)
        self.feed_in = nn.Linear(D, 2 * feed if shape.llama else feed, bias=bias)
        self.feed_out = nn.Linear(feed, D, bias=bias)
        self.dropout = nn.Dropout(shape.dropout)
        for layer in (self.qkv, self.out, self.feed_in, self.feed_out):
            gpt2_std = 0.02 * ((2 * shape.layers) ** -0.5 if layer in (self.out, self.feed_out) else 1.0)
            nn.init.normal_(layer.weight, std=layer.in_features**-0.5 if shape.t5 else gpt2_std)
            if bias:
                nn.init.zeros_(layer.bias)
        if shape.t5:
            nn.init.normal_(self.qkv.weight[:D], std=(D * HEAD_WIDTH) ** -0.5)

    def forward(self, x_BTD: Tensor, rotation: Tensor) -> Tensor:
        x_BTD = x_BTD + self.dropout(self.attend(self.attention_norm(x_BTD), rotation))
        return x_BTD + self.dropout(self.feed(self.feed_norm(x_BTD)))

    def attend(self, x_BTD: Tensor, rotation: Tensor) -> Tensor:
        heads, kv_heads = self.shape.heads, self.shape.kv_heads
        qkv = self.qkv(x_BTD).unflatten(-1, (1, heads + 2 * kv_heads, HEAD_WIDTH))
        qk, v = qkv.split((heads + kv_heads, kv_heads), dim=3)  # q and k are rotated together
        q_BTHE, k_BTHE = rotate(qk, rotation).squeeze(2).split((heads, kv_heads), dim=2)
        x_BHTE = F.scaled_dot_product_attention(
            q_BTHE.transpose(1, 2), k_BTHE.transpose(1, 2), v.squeeze(2).transpose(1, 2), is_causal=True,
            dropout_p=self.shape.dropout if self.training else 0.0, scale=1.0 if self.shape.t5 else None,
            enable_gqa=kv_heads < heads)
        return self.out(x_BHTE.transpose(1, 2).flatten(2))

    def feed(self, x_BTD: Tensor) -> Tensor:
        hidden = self.feed_in(x_BTD)
        if self.shape.t5:
            return self.feed_out(self.dropout(F.relu(hidden)))
        if self.shape.llama:
            gate, up = hidden.chunk(2, dim=-1)
            return self.feed_out(F.silu(gate) * up)
        return self.feed_out(F.gelu(hidden, approximate="tanh"))


class Decoder(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.final_norm = make_norm(shape)
        self.dropout = nn.Dropout(shape.dropout)
        self.head_scale = shape.width**-0.5 if shape.t5 else 1.0
        nn.init.normal_(self.embedding.weight, std=1.0 if shape.t5 else 0.02)
        self.head = nn.Linear(shape.width, shape.vocabulary, bias=False) if shape.llama else self.embedding
        if shape.llama:
            nn.init.normal_(self.head.weight, std=0.02)

    def forward(self, tokens_BT: Tensor, positions_BT: Tensor, targets_K: Tensor | None = None) -> Tensor:
        """Logits [N,V] of the next token, for every token or only for the targets."""
        rotation = rotation_of(positions_BT)
        x_BTD = self.dropout(self.embedding(tokens_BT))
        for block in self.blocks:
            x_BTD = block(x_BTD, rotation)
        x_ND = self.dropout(self.final_norm(x_BTD)).flatten(0, 1)
        if targets_K is not None:
            x_ND = x_ND.index_select(0, targets_K)
        return F.linear(x_ND * self.head_scale, self.head.weight)

    def loss(self, tokens_BT: Tensor, positions_BT: Tensor, labels_N: Tensor, targets_K: Tensor | None) -> Tensor:
        with torch.autocast(tokens_BT.device.type, torch.bfloat16):
            return F.cross_entropy(self(tokens_BT, positions_BT, targets_K), labels_N, ignore_index=IGNORED)


# --- Training --------------------------------------------------------------------------------------------------

Step = Callable[[Batch], Tensor]  # trains on a batch and returns its loss


def make_step(model: Decoder, learning_rate: float, compile_mode: str | None, captured: bool) -> Step:
    """`compile_mode` is the mode of torch.compile; None means eager."""
    parameters = list(model.parameters())
    optimizer = torch.optim.AdamW([
        {"params": [p for p in parameters if p.dim() > 1], "weight_decay": WEIGHT_DECAY},
        {"params": [p for p in parameters if p.dim() == 1], "weight_decay": 0.0},
    ], lr=learning_rate, fused=True, capturable=captured)
    compiled = {"fullgraph": True, "dynamic": False, "mode": compile_mode}
    loss_of = torch.compile(model.loss, **compiled) if compile_mode else model.loss

    def step(batch: Batch) -> Tensor:
        positions_BT = draw_positions(batch.lengths_B, batch.tokens_BT.shape[1])
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(batch.tokens_BT, positions_BT, batch.labels_N, batch.targets_K)
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, CLIP_NORM)
        optimizer.step()
        return loss.detach()

    return step


def capture(step: Step, example: Batch) -> Step:
    """The whole `step` as one CUDA graph, after a few normal steps on `example`. The graph reads its own copy of a batch and
    draws new random numbers at each replay. All use one stream, because autograd nodes remember their stream."""
    static = Batch(*(None if x is None else x.clone() for x in example))
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(STEPS_BEFORE_CAPTURE):
            step(static)
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        loss = step(static)

    def replay(batch: Batch) -> Tensor:
        for mine, new in zip(static, batch, strict=True):
            if mine is not None:
                mine.copy_(new)
        graph.replay()
        return loss

    return replay


def time_steps(step: Step, batches: list[Batch], warm_up: int) -> tuple[list[float], float]:
    """Milliseconds of each step after the warm-up, and the last loss. The host only waits for the GPU before the first timed
    step and after the last."""
    on_gpu = batches[0].tokens_BT.is_cuda

    def mark() -> torch.cuda.Event | float:
        if not on_gpu:
            return time.perf_counter()
        return torch.cuda.current_stream().record_event(torch.cuda.Event(enable_timing=True))

    for batch in batches[:warm_up]:
        step(batch)
    if on_gpu:
        torch.cuda.synchronize()
    marks = [mark()]
    for batch in batches[warm_up:]:
        loss = step(batch)
        marks.append(mark())
    if not on_gpu:
        return [1e3 * (end - begin) for begin, end in pairwise(marks)], loss.item()
    torch.cuda.synchronize()
    return [begin.elapsed_time(end) for begin, end in pairwise(marks)], loss.item()


def main() -> None:
    parser = argparse.ArgumentParser(description="Time training steps in PyTorch on one GPU.")
    parser.add_argument("--model", choices=SHAPES, required=True)
    parser.add_argument("--mode", choices=("eager", "compile", "graph", "compile-graphs"), default="eager")
    parser.add_argument("--rows", type=int, help="rows in a batch (t5: 64, gpt2 and llama: 32)")
    parser.add_argument("--tokens", type=int, help="tokens in a padded row (t5: 47, gpt2 and llama: 1024)")
    parser.add_argument("--gather", type=int, nargs="?", const=1024, default=0, metavar="K",
                        help="t5: compute logits for K tokens only, at least the targets of any batch (%(const)s)")
    parser.add_argument("--unpadded", action="store_true", help="t5: rows of 11 words each, and logits for targets only")
    parser.add_argument("--compile-mode", choices=("default", "max-autotune-no-cudagraphs"), default="default")
    parser.add_argument("--sdpa", choices=("auto", *SDPA_KERNELS), default="auto", help="attention kernel (%(default)s)")
    parser.add_argument("--steps", type=int, default=100, help="timed steps, at least two (%(default)s)")
    parser.add_argument("--warmup", type=int, default=20, help="untimed steps before them (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="%(default)s")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda", help="%(default)s")
    for name in ("layers", "heads", "vocabulary"):
        parser.add_argument(f"--{name}", type=int, help="instead of the model's value, for tests")
    options = parser.parse_args()
    if options.gather and options.model != "t5":
        parser.error("--gather: only t5 supports it; every token of gpt2 and llama is a target")
    if options.unpadded:
        if options.model != "t5" or options.tokens or options.gather:
            parser.error("--unpadded: only for t5, without --tokens and --gather")
        options.tokens = 7 + sum(WORDS)  # 7 + 2 times the mean number of words
        options.gather = (options.rows or SHAPES["t5"].rows) * (sum(WORDS) // 2 + 1)

    given = {name: getattr(options, name) for name in ("rows", "tokens", "layers", "heads", "vocabulary")}
    shape = replace(SHAPES[options.model], **{name: value for name, value in given.items() if value is not None})
    shape = replace(shape, kv_heads=min(shape.kv_heads, shape.heads))
    if shape.t5 and shape.tokens < 7 + 2 * WORDS[0]:
        parser.error(f"--tokens: t5 needs {7 + 2 * WORDS[0]} or more")

    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    if options.sdpa != "auto":
        for kernel in SDPA_KERNELS:
            getattr(torch.backends.cuda, f"enable_{kernel}_sdp")(kernel == options.sdpa)
    device, on_gpu = torch.device(options.device), options.device == "cuda"
    batches = draw_batches(shape, options.warmup + options.steps, options.gather, options.unpadded, options.seed, device)
    with device:
        model = Decoder(shape)
    captured = "graph" in options.mode and on_gpu
    compile_mode = options.compile_mode if "compile" in options.mode else None
    step = make_step(model, shape.learning_rate, compile_mode, captured)
    milliseconds, loss = time_steps(capture(step, batches[0]) if captured else step, batches, options.warmup)

    quartiles = statistics.quantiles(milliseconds, n=4, method="inclusive")
    tokens = statistics.mean(batch.lengths_B.sum().item() for batch in batches[options.warmup:])
    extras = (" max-autotune" if compile_mode not in (None, "default") else "") + (" gather" if options.gather else "")
    extras += " unpadded" if options.unpadded else ""
    extras += "" if options.sdpa == "auto" else f" {options.sdpa}"
    print(json.dumps({
        "name": f"PyTorch {torch.__version__.split('+')[0]} {options.mode}{extras}",
        "model": options.model, "rows": shape.rows, "padded_tokens": shape.tokens, "gather": options.gather,
        "sdpa": options.sdpa, "device": torch.cuda.get_device_name() if on_gpu else "cpu",
        "captured": captured, "parameters": sum(p.numel() for p in model.parameters()), "steps": options.steps,
        "ms_per_step": round(quartiles[1], 3), "ms_quartiles": [round(quartiles[0], 3), round(quartiles[2], 3)],
        "tokens_per_step": round(tokens, 1), "ktok_per_s": round(tokens / quartiles[1], 1),
        "peak_memory_bytes": torch.cuda.max_memory_allocated() if on_gpu else None,
        "loss": round(loss, 5),
    }))


if __name__ == "__main__":
    main()
