#!/usr/bin/env python3
"""Writes the golden files: the expected results of small Transformers with float positions.

    python3 tools/golden.py [--out tests/golden]

This is an independent reference. It is written from the formulas and shares no code with the C++ library: another language,
padded and masked rows instead of packed ones, float64 throughout. The formulas of most encodings and rules are in
golden_methods.py. It writes one safetensors file for each block (t5, gpt2) and encoding, and some for other models: Llama's
block, attention rules, a layer pattern, options of encodings. Needs PyTorch and safetensors. The same machine and PyTorch give the same bytes; others may differ in the last bits.

Tensors of a file (letters as below; NAME is a parameter's name, see `draw_parameters`):

    weights/NAME     float32        drawn in float64, rounded to float32, used in float64
    tokens           int64   [N]    the rows one after another, without padding
    positions        float32 [N]    sorted within a row; rounded to float32, used in float64
    positions.1      float32 [N]    of the second track, if the model has one
    offsets          int64   [B+1]  row b is tokens[offsets[b] : offsets[b+1]]
    target_begin     int64   [B]    the tokens of a row from this index on are targets; at least 1, because the token
                                    before predicts it; the row's length if it has no target
    logits           float64 [M,V]  a prediction for each target, in packed order
    loss             float64 [1]    mean cross entropy over the M targets of the whole batch
    gradients/NAME   float64        of that loss, not clipped
    losses           float64 [3]    before each of three optimizer steps on the same batch
    after/NAME       float64        weights after them (clip to norm 1, then AdamW; see `train`)

The metadata (all strings) have the block, the encoding and the sizes. If these do not describe the model, `settings` has the
library's settings.

A note on comparisons in float32: a bias on the keys adds the same value to all scores of a query. Softmax ignores it, so its
true gradient is zero (with RoPE, for the dimensions that are not rotated). In float64, the stored gradient is far below AdamW's
epsilon and has no effect. In float32, rounding errors are as large as epsilon, and AdamW turns them into steps.
"""

import argparse
import json
import math
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save
from torch import Tensor

import golden_methods

# Shapes:  K heads of keys and values; B rows, T tokens of the longest row, N tokens of all rows, M targets of all rows,
#          V vocabulary, D width, H heads, E head width, F feed width, R rotated dimensions of a head.

BLOCKS = ("t5", "gpt2")
ENCODINGS = ("none", "sinusoidal", "rope", "alibi", "kerple", "t5_bias", "fire", "nape", "dape", "wavelet", "learned")

LENGTHS = (5, 1, 9, 7)
TARGET_BEGIN = (1, 1, 4, 6)  # targets: all tokens but the first; none; the last five; only the last one

WAVELENGTH_BASE = 10_000.0  # of sinusoidal and RoPE
CLIP_NORM = 1.0
WEIGHT_DECAY = 0.05  # on matrices; none on vectors
OPTIMIZER_STEPS = 3

Parameters = dict[str, Tensor]


@dataclass(frozen=True)
class Kind:
    """The kind of a layer; layers of a model can be of different kinds."""

    encoding: str
    rule: str = "softmax"  # or ssmax, ssmax+offset, scale_invariant, asentmax, asentmax+half (scales the second half of the heads)
    window: int = 0  # a token attends to the last `window` tokens, including itself; 0: to all
    track: int = 0  # which positions it uses


@dataclass(frozen=True)
class Model:
    block: str
    encoding: str
    vocabulary: int = 9
    layers: int = 2
    width: int = 8
    heads: int = 3  # not a power of two, to test ALiBi's slopes
    head_width: int = 8  # heads * head_width differs from the width on purpose
    feed_width: int = 16
    rope_share: float = 0.5  # share of each head's dimensions that are rotated, from the first one on
    learning_rate: float = 1e-2

    kinds: tuple[Kind, ...] = ()  # one per layer; empty: all layers have the encoding above
    kv_heads: int = 0  # 0: as many as heads
    qk_norm: bool = False
    gate: str = ""  # silu or gelu: a gated feed-forward part
    parallel: bool = False  # attention and feed-forward part read the same hidden states
    erf: bool = False  # the exact GELU
    qkv_bias: bool = False  # biases for queries, keys and values only
    keys: tuple[tuple[str, object], ...] = ()  # options of the encoding, named as in the library
    fire_sign: float = 1.0  # of FIRE's c and T, which the formula takes as |c| and |T|
    settings: str = ""  # the same model as settings of the library

    def kind(self, layer: int) -> Kind:
        return self.kinds[layer] if self.kinds else Kind(self.encoding)

    @property
    def key_heads(self) -> int:
        return self.kv_heads or self.heads

    @property
    def tracks(self) -> int:
        return 1 + max((kind.track for kind in self.kinds), default=0)

    @property
    def has_bias(self) -> bool:
        return self.block == "gpt2"

    @property
    def position_range(self) -> float:
        return {"alibi": 20.0, "kerple": 20.0, "nape": 20.0, "dape": 20.0, "wavelet": 20.0, "t5_bias": 200.0, "learned": 40.0}.get(self.encoding, 1000.0)


@dataclass(frozen=True)
class Batch:
    """Padded rows. Padding is token 0 at position 0; the mask hides it from every real token."""

    tokens_BT: Tensor
    tracks: tuple[Tensor, ...]  # positions [B,T]
    lengths_B: Tensor
    target_begin_B: Tensor

    @property
    def real_BT(self) -> Tensor:
        return torch.arange(self.tokens_BT.shape[1]) < self.lengths_B[:, None]

    @property
    def target_BT(self) -> Tensor:
        return self.real_BT & (torch.arange(self.tokens_BT.shape[1]) >= self.target_begin_B[:, None])

    def row(self, b: int) -> "Batch":
        """Only row b, without its padding."""
        one, length = slice(b, b + 1), int(self.lengths_B[b])
        return Batch(self.tokens_BT[one, :length], tuple(track[one, :length] for track in self.tracks),
                     self.lengths_B[one], self.target_begin_B[one])


# --- Random weights and batches --------------------------------------------------------------------------------


def draw_batch(model: Model, generator: torch.Generator) -> Batch:
    lengths_B = torch.tensor(LENGTHS)
    shape = (len(LENGTHS), max(LENGTHS))
    tokens_BT = torch.zeros(shape, dtype=torch.int64)
    tracks = [torch.zeros(shape, dtype=torch.float64) for _ in range(model.tracks)]
    for b, length in enumerate(LENGTHS):
        tokens_BT[b, :length] = torch.randint(model.vocabulary, (length,), generator=generator)
        for positions_BT in tracks:
            uniform = torch.rand(length, generator=generator, dtype=torch.float64)
            positions_BT[b, :length] = model.position_range * uniform.sort().values
    return Batch(tokens_BT, tuple(track.float().double() for track in tracks), lengths_B, torch.tensor(TARGET_BEGIN))


def draw_parameters(model: Model, generator: torch.Generator) -> Parameters:
    """All parameters by name. Matrices are [out, in]. The rows of `qkv` are q, then k, then v, each with one head after the
    other."""
    parameters: Parameters = {}

    def draw(name: str, mean: float, std: float, *shape: int) -> None:
        value = mean + std * torch.randn(shape, generator=generator, dtype=torch.float64)
        parameters[name] = value.float().double()

    def draw_linear(name: str, width_out: int, width_in: int) -> None:
        draw(f"{name}.weight", 0.0, width_in**-0.5, width_out, width_in)
        if model.has_bias:
            draw(f"{name}.bias", 0.0, 0.1, width_out)

    def draw_norm(name: str) -> None:
        draw(f"{name}.weight", 1.0, 0.1, model.width)
        if model.has_bias:
            draw(f"{name}.bias", 0.0, 0.1, model.width)

    def draw_learned(i: int, kind: Kind) -> None:
        """Random parameters of an encoding or attention rule."""
        if kind.encoding == "kerple":
            draw(f"blocks.{i}.encoding.p", 1.0, 0.2, model.heads)
            draw(f"blocks.{i}.encoding.a", 0.5, 0.1, model.heads)
        if kind.rule.startswith("ssmax"):
            draw(f"blocks.{i}.attention_rule.scale", 0.6, 0.1, model.heads)
        if kind.rule == "ssmax+offset":
            draw(f"blocks.{i}.attention_rule.offset", 0.2, 0.1, model.heads)
        for name, mean, std, shape, shared in golden_methods.learned(kind.encoding, kind.rule, model.heads, model.width):
            if not shared or i == 0:
                draw(name if shared else f"blocks.{i}.{name}", mean, std, *shape)
        if kind.encoding in ("kerple", "dape"):  # two heads beyond the limits of p and a
            parameters[f"blocks.{i}.encoding.p"][1] = -0.25
            parameters[f"blocks.{i}.encoding.a"][2] = 0.0078125
        if kind.encoding == "fire":
            parameters[f"blocks.{i}.encoding.c"] *= model.fire_sign
            parameters[f"blocks.{i}.encoding.threshold_factor"] *= model.fire_sign

    inner, keys = model.heads * model.head_width, model.key_heads * model.head_width
    draw("embedding.weight", 0.0, 0.3, model.vocabulary, model.width)
    for i in range(model.layers):
        draw_norm(f"blocks.{i}.attention_norm")
        draw_linear(f"blocks.{i}.attention.qkv", inner + 2 * keys, model.width)
        if model.qkv_bias:
            draw(f"blocks.{i}.attention.qkv.bias", 0.0, 0.1, inner + 2 * keys)
        draw_linear(f"blocks.{i}.attention.out", model.width, inner)
        draw_norm(f"blocks.{i}.feed_norm")
        draw_linear(f"blocks.{i}.feed.in", (2 if model.gate else 1) * model.feed_width, model.width)
        draw_linear(f"blocks.{i}.feed.out", model.width, model.feed_width)
        if model.qk_norm:
            draw(f"blocks.{i}.attention.query_norm.weight", 1.0, 0.1, model.head_width)
            draw(f"blocks.{i}.attention.key_norm.weight", 1.0, 0.1, model.head_width)
        draw_learned(i, model.kind(i))
    draw_norm("final_norm")
    if model.block == "llama":
        draw("head.weight", 0.0, 0.3, model.vocabulary, model.width)
    return parameters


# --- Encodings -------------------------------------------------------------------------------------------------


def sinusoid(positions_BT: Tensor, width: int) -> Tensor:
    """[B,T,D]: the sine (at 2k) and the cosine (at 2k+1) of position / 10000^(2k/D)."""
    result_BTD = torch.empty(*positions_BT.shape, width, dtype=torch.float64)
    for k in range(width // 2):
        angle_BT = positions_BT / WAVELENGTH_BASE ** (2 * k / width)
        result_BTD[..., 2 * k] = angle_BT.sin()
        result_BTD[..., 2 * k + 1] = angle_BT.cos()
    return result_BTD


def rotate(x_BHTE: Tensor, positions_BT: Tensor, frequencies: list[list[float]], scale: float) -> Tensor:
    """Rotates the pair of dimensions (2k, 2k+1) of row b by position * frequencies[b][k], times `scale`."""
    dimensions = list(x_BHTE.unbind(-1))
    frequencies_BK = torch.tensor(frequencies, dtype=torch.float64)
    for k in range(frequencies_BK.shape[1]):
        angle_B1T = (positions_BT * frequencies_BK[:, k : k + 1])[:, None, :]
        cos, sin = scale * angle_B1T.cos(), scale * angle_B1T.sin()
        a_BHT, b_BHT = x_BHTE[..., 2 * k], x_BHTE[..., 2 * k + 1]
        dimensions[2 * k] = a_BHT * cos - b_BHT * sin
        dimensions[2 * k + 1] = a_BHT * sin + b_BHT * cos
    return torch.stack(dimensions, dim=-1)


def alibi_slopes(heads: int) -> list[float]:
    """2^(-8h/H), h = 1..H, if H is a power of two. Otherwise the slopes of P heads, where P is the largest power of two below
    H, followed by the 1st, 3rd, 5th ... slope of 2P heads until there are H."""

    def geometric(power_of_two: int) -> list[float]:
        return [2.0 ** (-8.0 * h / power_of_two) for h in range(1, power_of_two + 1)]

    below = 1 << (heads.bit_length() - 1)
    if below == heads:
        return geometric(heads)
    return geometric(below) + geometric(2 * below)[0::2][: heads - below]


# --- The model -------------------------------------------------------------------------------------------------


def normalize(model: Model, parameters: Parameters, name: str, x_BTD: Tensor) -> Tensor:
    if model.block != "gpt2":  # RMSNorm
        mean_square = x_BTD.square().mean(-1, keepdim=True)
        return x_BTD / (mean_square + (1e-6 if model.block == "t5" else 1e-5)).sqrt() * parameters[f"{name}.weight"]
    centered = x_BTD - x_BTD.mean(-1, keepdim=True)  # LayerNorm
    variance = centered.square().mean(-1, keepdim=True)
    return centered / (variance + 1e-5).sqrt() * parameters[f"{name}.weight"] + parameters[f"{name}.bias"]


def linear(parameters: Parameters, name: str, x: Tensor) -> Tensor:
    result = x @ parameters[f"{name}.weight"].T
    return result + parameters[f"{name}.bias"] if f"{name}.bias" in parameters else result


def attend(model: Model, parameters: Parameters, layer: int, x_BTD: Tensor, batch: Batch) -> Tensor:
    B, T, _ = x_BTD.shape
    name, kind = f"blocks.{layer}.attention", model.kind(layer)
    positions_BT = batch.tracks[kind.track]
    all_heads = linear(parameters, f"{name}.qkv", x_BTD).view(B, T, -1, model.head_width).transpose(1, 2)
    q_BHTE, k_BKTE, v_BKTE = all_heads.split([model.heads, model.key_heads, model.key_heads], dim=1)
    if model.qk_norm:
        q_BHTE = normalize(model, parameters, f"{name}.query_norm", q_BHTE)
        k_BKTE = normalize(model, parameters, f"{name}.key_norm", k_BKTE)
    if kind.encoding == "rope":
        rotated = round(model.rope_share * model.head_width)
        # The model does not read the last token of a row that has targets.
        inputs = [int(length) - int(begin < length) for length, begin in zip(batch.lengths_B, batch.target_begin_B)]
        of_rows = [golden_methods.rope_frequencies(dict(model.keys), WAVELENGTH_BASE, rotated, n) for n in inputs]
        frequencies, scale = [row for row, _ in of_rows], of_rows[0][1]
        q_BHTE = rotate(q_BHTE, positions_BT, frequencies, scale)
        k_BKTE = rotate(k_BKTE, positions_BT, frequencies, scale)
    of_head = [h * model.key_heads // model.heads for h in range(model.heads)]
    k_BHTE, v_BHTE = k_BKTE[:, of_head], v_BKTE[:, of_head]

    def get(learned: str) -> Tensor:
        return parameters[learned if learned in parameters else f"blocks.{layer}.{learned}"]

    if kind.rule.startswith("asentmax"):
        q_BHTE = q_BHTE * golden_methods.asentmax_factor(get, kind.rule, x_BTD)[..., None]
    scores_BHTT = q_BHTE @ k_BHTE.transpose(-1, -2)
    if kind.rule.startswith("ssmax"):  # s log(n + 1) + b, where n is the number of keys that a query attends to
        seen_T = torch.arange(1, T + 1, dtype=torch.float64)
        seen_T = seen_T.clamp(max=kind.window) if kind.window else seen_T
        factor_HT = parameters[f"blocks.{layer}.attention_rule.scale"][:, None] * torch.log(seen_T + 1)
        if kind.rule == "ssmax+offset":
            factor_HT = factor_HT + parameters[f"blocks.{layer}.attention_rule.offset"][:, None]
        scores_BHTT = scores_BHTT * factor_HT[:, :, None]
    scale = 1 if model.block == "t5" else model.head_width**-0.5
    scores_BHTT = scores_BHTT * scale
    scores_BHTT = golden_methods.encode(kind.encoding, get, scores_BHTT, q_BHTE * scale, positions_BT, alibi_slopes,
                                        dict(model.keys))
    distance_B1TT = (positions_BT[:, :, None] - positions_BT[:, None, :])[:, None]
    if kind.encoding == "alibi":
        slopes_H11 = torch.tensor(alibi_slopes(model.heads), dtype=torch.float64)[:, None, None]
        scores_BHTT = scores_BHTT - slopes_H11 * distance_B1TT
    if kind.encoding == "kerple":  # - p log(1 + a d), with p and a at least .01
        p, a = (golden_methods.kept_above(parameters[f"blocks.{layer}.encoding.{x}"])[:, None, None] for x in "pa")
        scores_BHTT = scores_BHTT - p * torch.log(1 + a * distance_B1TT.clamp(min=0))
    causal_TT = torch.ones(T, T, dtype=torch.bool).tril()
    if kind.window:
        causal_TT = causal_TT & ~torch.ones(T, T, dtype=torch.bool).tril(-kind.window)
    itself_TT = torch.eye(T, dtype=torch.bool)  # so that padding beyond a window attends to something
    visible_B1TT = (causal_TT & batch.real_BT[:, None, :] | itself_TT)[:, None]
    attention_BHTT = golden_methods.weigh(kind.rule, scores_BHTT.masked_fill(~visible_B1TT, -math.inf))

    mixed_BTI = (attention_BHTT @ v_BHTE).transpose(1, 2).reshape(B, T, model.heads * model.head_width)
    return linear(parameters, f"{name}.out", mixed_BTI)


def gelu_tanh(x: Tensor) -> Tensor:
    return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)))


def gelu_erf(x: Tensor) -> Tensor:
    return 0.5 * x * (1.0 + torch.erf(x / math.sqrt(2.0)))


def gated(model: Model):
    act = gelu_tanh if model.gate == "gelu" else lambda x: x / (1 + torch.exp(-x))
    return lambda x: act(x[..., : model.feed_width]) * x[..., model.feed_width :]


def forward(model: Model, parameters: Parameters, batch: Batch) -> Tensor:
    """Logits [B,T,V] of the next token, for every token."""
    x_BTD = parameters["embedding.weight"][batch.tokens_BT]
    if model.encoding == "sinusoidal":
        x_BTD = x_BTD + sinusoid(batch.tracks[0], model.width)
    if model.encoding == "learned":
        x_BTD = x_BTD + golden_methods.learned_positions(parameters["encoding.table"], batch.tracks[0])
    activation = torch.relu if model.block == "t5" else gelu_tanh if model.block == "gpt2" else gated(model)
    if model.erf:
        activation = gelu_erf
    for i in range(model.layers):
        block = f"blocks.{i}"
        normal_BTD = normalize(model, parameters, f"{block}.attention_norm", x_BTD)
        read_BTD, x_BTD = x_BTD, x_BTD + attend(model, parameters, i, normal_BTD, batch)
        normal_BTD = normalize(model, parameters, f"{block}.feed_norm", read_BTD if model.parallel else x_BTD)
        hidden_BTF = activation(linear(parameters, f"{block}.feed.in", normal_BTD))
        x_BTD = x_BTD + linear(parameters, f"{block}.feed.out", hidden_BTF)
    x_BTD = normalize(model, parameters, "final_norm", x_BTD)
    if model.block == "t5":
        x_BTD = x_BTD * model.width**-0.5
    return x_BTD @ parameters["head.weight" if "head.weight" in parameters else "embedding.weight"].T


def predict(model: Model, parameters: Parameters, batch: Batch) -> tuple[Tensor, Tensor]:
    """Logits [M,V] and the targets [M] they predict, in packed order."""
    logits_BTV = forward(model, parameters, batch)
    target_BT = batch.target_BT
    return logits_BTV[:, :-1][target_BT[:, 1:]], batch.tokens_BT[target_BT]


def loss_of(model: Model, parameters: Parameters, batch: Batch) -> Tensor:
    return F.cross_entropy(*predict(model, parameters, batch))


# --- Training --------------------------------------------------------------------------------------------------


def train(model: Model, weights: Parameters, batch: Batch) -> tuple[Parameters, list[float], list[float]]:
    """The weights after all optimizer steps, and the loss and gradient norm (before clipping) at each step."""
    parameters = {name: weight.clone().requires_grad_() for name, weight in weights.items()}
    groups = [
        {"params": [p for p in parameters.values() if p.dim() == 2], "weight_decay": WEIGHT_DECAY},
        {"params": [p for p in parameters.values() if p.dim() == 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=model.learning_rate, betas=(0.9, 0.999), eps=1e-8, foreach=False)
    losses, norms = [], []
    for _ in range(OPTIMIZER_STEPS):
        optimizer.zero_grad()
        loss = loss_of(model, parameters, batch)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(parameters.values(), CLIP_NORM, foreach=False)
        optimizer.step()
        losses.append(loss.item())
        norms.append(norm.item())
    return {name: p.detach() for name, p in parameters.items()}, losses, norms


# --- Self-checks -----------------------------------------------------------------------------------------------


def check_padding_is_invisible(model: Model, weights: Parameters, batch: Batch, logits_MV: Tensor) -> None:
    alone = [predict(model, weights, batch.row(b))[0] for b in range(len(LENGTHS))]
    torch.testing.assert_close(torch.cat(alone), logits_MV, rtol=0.0, atol=1e-12)


def check_gradients(model: Model, weights: Parameters, batch: Batch, gradients: Parameters,
                    generator: torch.Generator) -> None:
    """Central differences at one random entry of every parameter. Parameters of KERPLE and DAPE below their limit have another
    gradient than the function, see kept_above()."""
    step = 1e-5
    for name, weight in weights.items():
        entry = int(torch.randint(weight.numel(), (1,), generator=generator))
        if name.endswith((".encoding.p", ".encoding.a")) and weight[entry] < golden_methods.KERPLE_LEAST:
            continue

        def loss_at(shift: float) -> float:
            moved = weight.clone()
            moved.view(-1)[entry] += shift
            return loss_of(model, {**weights, name: moved}, batch).item()

        numeric = (loss_at(step) - loss_at(-step)) / (2 * step)
        exact = gradients[name].reshape(-1)[entry].item()
        assert math.isclose(numeric, exact, rel_tol=1e-6, abs_tol=1e-8), f"{name}[{entry}]: {exact}, got {numeric}"


def check_slopes() -> None:
    expected = [2.0**-h for h in range(1, 9)] + [2.0 ** (0.5 - h) for h in range(1, 5)]
    assert all(map(math.isclose, alibi_slopes(12), expected)) and len(alibi_slopes(12)) == 12


# --- Files -----------------------------------------------------------------------------------------------------


def serialize(tensors: dict[str, Tensor], metadata: dict[str, str]) -> bytes:
    """A safetensors file with its metadata in alphabetical order, because the package writes them in random order."""
    data = save({name: tensor.contiguous() for name, tensor in tensors.items()}, metadata)
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, separators=(",", ":")).encode().ljust(size)
    assert len(text) == size
    return data[:8] + text + data[8 + size :]


def make_golden(model: Model) -> tuple[bytes, list[float], list[float]]:
    """The bytes of a file, and the losses and gradient norms of the steps. Files of the same block have the same weights and
    tokens and differ only in the encoding (and ALiBi's range of positions)."""
    generator = torch.Generator().manual_seed(1 + (BLOCKS + ("llama",)).index(model.block))
    weights = draw_parameters(model, generator)
    batch = draw_batch(model, generator)

    parameters = {name: weight.clone().requires_grad_() for name, weight in weights.items()}
    logits_MV, targets_M = predict(model, parameters, batch)
    loss = F.cross_entropy(logits_MV, targets_M)
    gradients = dict(zip(parameters, torch.autograd.grad(loss, list(parameters.values()))))
    after, losses, norms = train(model, weights, batch)

    check_padding_is_invisible(model, weights, batch, logits_MV.detach())
    check_gradients(model, weights, batch, gradients, generator)
    assert losses[0] == loss.item() and losses[-1] < losses[0]

    real_BT = batch.real_BT
    tensors = {
        "tokens": batch.tokens_BT[real_BT],
        "positions": batch.tracks[0][real_BT].float(),
        "offsets": F.pad(batch.lengths_B.cumsum(0), (1, 0)),
        "target_begin": batch.target_begin_B,
        "logits": logits_MV.detach(),
        "loss": loss.detach().view(1),
        "losses": torch.tensor(losses, dtype=torch.float64),
    }
    for number, track in enumerate(batch.tracks[1:], 1):
        tensors[f"positions.{number}"] = track[real_BT].float()
    for name, weight in weights.items():
        tensors[f"weights/{name}"] = weight.float()
        tensors[f"gradients/{name}"] = gradients[name]
        tensors[f"after/{name}"] = after[name]
    plain = list(vars(Model("t5", "none")))[:10]
    metadata = {name: str(value) for name, value in vars(model).items() if name in plain}
    if model.settings:
        metadata["settings"] = model.settings
    return serialize(tensors, metadata), losses, norms


# Models that a block and an encoding do not describe.
OTHERS = {
    "llama": Model("llama", "rope", kv_heads=1, gate="silu", settings="[model]\npreset = 'llama'\nkv_heads = 1\n"),
    "llama-qk_norm": Model("llama", "rope", qk_norm=True, gate="gelu",
                           settings="[model]\npreset = 'llama'\nkv_heads = 0\nqk_norm = true\nactivation = 'geglu'\n"),
    "llama-qkv_bias": Model("llama", "rope", kv_heads=1, gate="silu", qkv_bias=True,
                            settings="[model]\npreset = 'llama'\nkv_heads = 1\nqkv_bias = true\n"),
    "gpt2-parallel": Model("gpt2", "rope", parallel=True, erf=True,
                           settings="[model]\npreset = 'gpt2'\nparallel = true\nactivation = 'gelu_erf'\n"),
    "gpt2-ssmax": Model("gpt2", "rope", kinds=2 * (Kind("rope", "ssmax"),),
                        settings="[model]\npreset = 'gpt2'\n[attention]\nuse = 'ssmax'\n"),
    "gpt2-scale_invariant": Model("gpt2", "rope", kinds=2 * (Kind("rope", "scale_invariant"),),
                                  settings="[model]\npreset = 'gpt2'\n[attention]\nuse = 'scale_invariant'\n"),
    "gpt2-asentmax": Model("gpt2", "nape", kinds=(Kind("nape", "asentmax"), Kind("nape", "asentmax+half")),
                           settings="[model]\npreset = 'gpt2'\n[encoding]\nuse = 'nape'\n[attention]\nuse = 'asentmax'\n"
                           "[layers]\npattern = 'AB'\n[layers.B]\nattention.scaled_heads = 'second_half'\n"),
    "t5-pattern": Model("t5", "kerple", kinds=(Kind("rope", window=3), Kind("kerple", "ssmax+offset", track=1)),
                        settings="[model]\npreset = 't5-base'\n[layers]\npattern = 'LG'\n[layers.L]\nwindow = 3\n"
                        "positions.use = 'sequential'\n[layers.G]\nencoding.use = 'kerple'\n"
                        "attention = {use = 'ssmax', offset = true}\n"),
}


def options(encoding: str, fire_sign: float = 1.0, **keys) -> Model:
    """A small T5 with options of an encoding."""
    written = "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
    return Model("t5", encoding, layers=1, rope_share=1.0, keys=tuple(keys.items()), fire_sign=fire_sign,
                 settings=f"[model]\npreset = 't5-base'\n[encoding]\nuse = '{encoding}'\n{written}")


# RoPE's frequencies and other options that change a formula.
OPTIONS = {
    "rope-kept": options("rope", kept=0.75),
    "rope-ntk": options("rope", scaling="ntk", factor=3.0),
    "rope-dynamic_ntk": options("rope", scaling="dynamic_ntk", factor=2.0, original_length=4),
    "rope-yarn": options("rope", scaling="yarn", factor=4.0, original_length=512),
    "rope-longrope": options("rope", scaling="longrope", factor=4.0, original_length=512, factors=[1.0, 1.3, 2.2, 4.0]),
    "rope-llama3": options("rope", scaling="llama3", factor=4.0, original_length=1500),
    "nape-harmonic": options("nape", slopes="harmonic"),
    "t5_bias-rounded": options("t5_bias", interpolate=False),
    "fire-negative": options("fire", fire_sign=-1.0),
}


def written_settings(block: str, encoding: str) -> str:
    """Empty if the encoding has its default options."""
    if encoding != "learned":
        return ""
    preset = {"t5": "t5-base"}.get(block, block)
    return (f"[model]\npreset = '{preset}'\n[encoding]\nuse = 'learned'\nsize = {golden_methods.LEARNED_ROWS}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the golden files, after checking them.")
    parser.add_argument("--out", type=Path, default=Path("tests/golden"), help="folder to write (%(default)s)")
    out = parser.parse_args().out

    torch.set_num_threads(1)  # the order of sums, and so the bytes, must not depend on the number of cores
    check_slopes()
    out.mkdir(parents=True, exist_ok=True)
    all_norms: list[float] = []
    models = {f"{block}-{encoding}": Model(block, encoding, settings=written_settings(block, encoding))
              for block in BLOCKS for encoding in ENCODINGS} | OTHERS | OPTIONS
    for name, model in models.items():
        data, losses, norms = make_golden(model)
        path = out / f"{name}.safetensors"
        path.write_bytes(data)
        all_norms += norms
        print(f"{path}: {len(data)} bytes, losses {' '.join(f'{x:.4f}' for x in losses)}, "
              f"gradient norms {' '.join(f'{x:.3f}' for x in norms)}")
    assert min(all_norms) < CLIP_NORM < max(all_norms), "clipped and unclipped steps must both occur"


if __name__ == "__main__":
    main()
