"""Encodings and attention rules that golden.py adds to its Transformer, written from their formulas in float64.

Each encoding changes the scores [B,H,T,T] of queries and keys; each rule scales queries or turns scores into weights. Shapes are
golden.py's: B rows, T tokens, H heads, E head width, D width.
"""

import math

import torch
from torch import Tensor

FIRE_THRESHOLD = 512.0
KERPLE_LEAST = 0.01  # of p and a
WAVELET_SCALES = 8
LEARNED_ROWS = 32


def learned(encoding: str, rule: str, heads: int, width: int) -> list[tuple[str, float, float, tuple[int, ...], bool]]:
    """Name, mean, deviation and shape of each learned tensor, and whether all layers share it."""
    tensors = {
        "t5_bias": [("encoding.table", 0.0, 0.5, (32, heads), True)],
        "fire": [("encoding.in.weight", 0.0, 1.0, (32, 1), False), ("encoding.in.bias", 0.0, 0.5, (32,), False),
                 ("encoding.out.weight", 0.0, 0.3, (heads, 32), False), ("encoding.out.bias", 0.0, 0.3, (heads,), False),
                 ("encoding.c", 0.1, 0.01, (1,), False), ("encoding.threshold_factor", 1.0, 0.1, (1,), False)],
        "dape": [("encoding.p", 1.0, 0.2, (heads,), False), ("encoding.a", 0.5, 0.1, (heads,), False),
                 ("encoding.in.weight", 0.0, 0.4, (32, 2 * heads), False), ("encoding.in.bias", 0.0, 0.3, (32,), False),
                 ("encoding.out.weight", 0.0, 0.2, (heads, 32), False), ("encoding.out.bias", 0.0, 0.2, (heads,), False)],
        "learned": [("encoding.table", 0.0, 0.1, (LEARNED_ROWS, width), True)],
    }.get(encoding, [])
    if rule.startswith("asentmax"):
        tensors = tensors + [(f"attention_rule.{x}", 0.0, 0.3, (heads, width), False) for x in ("beta", "gamma")]
    return tensors


def learned_positions(table: Tensor, positions_BT: Tensor) -> Tensor:
    """Row p of the table for position p, linear in between; the last row beyond the table."""
    rows_BT = positions_BT.clamp(max=LEARNED_ROWS - 1)
    low, high = rows_BT.floor().long(), rows_BT.ceil().long()
    weight = (rows_BT - low)[..., None]
    return table[low] * (1 - weight) + table[high] * weight


def rope_frequencies(keys: dict, base: float, rotated: int, length: int) -> tuple[list[float], float]:
    """The frequencies of the pairs of R = `rotated` dimensions for an input of `length` tokens, and the factor of rotated
    queries and keys. `keys` are options of the library's RoPE: n0 is original_length, s is factor."""
    pairs, s, n0 = rotated // 2, keys.get("factor", 1.0), keys.get("original_length", 0)
    scaling = keys.get("scaling", "none")

    def ntk(factor: float) -> list[float]:
        new_base = base * factor ** (rotated / (rotated - 2))
        return [new_base ** (-2 * k / rotated) for k in range(pairs)]

    plain = ntk(1.0)
    turns = [n0 * frequency / (2 * math.pi) for frequency in plain]  # full rotations within n0 tokens
    if scaling == "ntk":
        return ntk(s), 1.0
    if scaling == "dynamic_ntk":
        return ntk(s * length / n0 - (s - 1) if length > n0 else 1.0), 1.0
    if scaling == "yarn":  # Peng et al. 2023, with their bounds: the pairs that turn 32 times and once, rounded outwards
        pair_of = [rotated * math.log(n0 / (2 * math.pi * turn)) / (2 * math.log(base)) for turn in (32, 1)]
        low, high = max(math.floor(pair_of[0]), 0), min(math.ceil(pair_of[1]), rotated - 1)
        ramp = [min(max((k - low) / (high - low), 0.0), 1.0) for k in range(pairs)]
        return [f * (1 - r) + f / s * r for f, r in zip(plain, ramp)], 0.1 * math.log(s) + 1
    if scaling == "longrope":
        return [f / x for f, x in zip(plain, keys["factors"])], math.sqrt(1 + math.log(s) / math.log(n0))
    if scaling == "llama3":  # pairs that turn less than once are slowed down, those that turn more than 4 times are not
        share = [min(max((turn - 1) / (4 - 1), 0.0), 1.0) for turn in turns]
        return [(1 - x) * f / s + x * f for f, x in zip(plain, share)], 1.0
    return plain[: math.floor(keys.get("kept", 1.0) * pairs)], 1.0


def kept_above(x: Tensor) -> Tensor:
    """At least KERPLE_LEAST, with the gradient of x."""
    return x + (x.clamp(min=KERPLE_LEAST) - x).detach()


def t5_bias(table: Tensor, distance: Tensor, interpolate: bool = True) -> Tensor:
    """Bucket d below 16, else 16 + 16 log(d/16) / log(128/16), at most 31, as a real number; linear in between. Or the
    bucket of T5: everything rounded down."""
    if not interpolate:
        distance = distance.floor()
    far = 16 + 16 * torch.log(distance.clamp(min=16.0) / 16) / math.log(128 / 16)
    bucket = torch.where(distance < 16, distance, far).clamp(0, 31)
    low = bucket.floor().long()
    if not interpolate:
        return table[low].permute(0, 3, 1, 2)
    high = (low + 1).clamp(max=31)
    weight = (bucket - low)[..., None]
    return (table[low] * (1 - weight) + table[high] * weight).permute(0, 3, 1, 2)


def fire(get, distance_BTT: Tensor, positions_BT: Tensor) -> Tensor:
    c, threshold = get("encoding.c").abs(), (FIRE_THRESHOLD * get("encoding.threshold_factor")).abs()
    reference_BT1 = torch.maximum(positions_BT, threshold)[:, :, None]
    ratio = torch.log(c * distance_BTT + 1) / (torch.log(c * reference_BT1 + 1) + 1e-6)
    hidden = torch.relu(ratio[..., None] * get("encoding.in.weight")[:, 0] + get("encoding.in.bias"))
    return (hidden @ get("encoding.out.weight").T + get("encoding.out.bias")).permute(0, 3, 1, 2)


def dape(get, scores_BHTT: Tensor, distance_BTT: Tensor) -> Tensor:
    p, a = (kept_above(get(f"encoding.{x}"))[:, None, None] for x in "pa")
    bias_BHTT = -p * torch.log(1 + a * distance_BTT[:, None])
    hidden = torch.einsum("bhij,fh->bijf", torch.cat([scores_BHTT, bias_BHTT], 1), get("encoding.in.weight"))
    hidden = hidden + get("encoding.in.bias")
    hidden = torch.where(hidden > 0, hidden, 0.01 * hidden)
    mixed = torch.einsum("bijf,hf->bhij", hidden, get("encoding.out.weight")) + get("encoding.out.bias")[:, None, None]
    return scores_BHTT + bias_BHTT + mixed


def wavelet(q_BHTE: Tensor, distance_BTT: Tensor) -> Tensor:
    """Sum over dims e of q_e psi((d - b_e) / a_e), psi the Ricker wavelet."""
    added = 0
    for e in range(q_BHTE.shape[-1]):
        a, b = 2.0 ** (e % WAVELET_SCALES), e // WAVELET_SCALES
        t = (distance_BTT - b) / a
        added = added + q_BHTE[..., e, None] * ((1 - t**2) * torch.exp(-(t**2) / 2))[:, None]
    return added


def encode(encoding: str, get, scores_BHTT: Tensor, q_BHTE: Tensor, positions_BT: Tensor, slopes,
           keys: dict) -> Tensor:
    """Scores with the encoding. `q_BHTE` are queries times the scale of the scores, `slopes` ALiBi's for some heads, `keys`
    options of the library's encoding."""
    distance_BTT = (positions_BT[:, :, None] - positions_BT[:, None, :]).clamp(min=0)
    heads = scores_BHTT.shape[1]
    if encoding == "t5_bias":
        return scores_BHTT + t5_bias(get("encoding.table"), distance_BTT, keys.get("interpolate", True))
    if encoding == "fire":
        return scores_BHTT + fire(get, distance_BTT, positions_BT)
    if encoding == "dape":
        return dape(get, scores_BHTT, distance_BTT)
    if encoding == "wavelet":
        return scores_BHTT + wavelet(q_BHTE, distance_BTT)
    if encoding == "nape":
        with_positions = (heads + 1) // 2
        given = slopes(with_positions)
        if keys.get("slopes") == "harmonic":
            given = [1 / h for h in range(1, with_positions + 1)]
        some = torch.tensor(given + [0.0] * (heads - with_positions), dtype=torch.float64)
        return scores_BHTT - some[:, None, None] * distance_BTT[:, None]
    return scores_BHTT


def asentmax_factor(get, rule: str, x_BTD: Tensor) -> Tensor:
    """[B,H,T]: 1 + softplus(W_b x) log(n + 1)^(2 tanh(W_g x)) for the n-th token; 1 for heads that are not scaled."""
    n_T = torch.arange(1, x_BTD.shape[1] + 1, dtype=torch.float64)
    beta = torch.log(1 + torch.exp(x_BTD @ get("attention_rule.beta").T))
    gamma = 2 * torch.tanh(x_BTD @ get("attention_rule.gamma").T)
    factor = 1 + beta * torch.exp(gamma * torch.log(torch.log(n_T + 1))[:, None])
    if rule == "asentmax+half":
        heads = factor.shape[-1]
        factor = torch.cat([torch.ones_like(factor[..., : (heads + 1) // 2]), factor[..., (heads + 1) // 2 :]], -1)
    return factor.transpose(1, 2)


def entmax15(scores: Tensor) -> Tensor:
    """max(z/2 - tau, 0)^2 with tau by bisection, and one Newton step that carries the gradient."""
    z = scores.masked_fill(scores == -math.inf, scores.detach()[scores > -math.inf].min().item() - 1e3) / 2
    with torch.no_grad():
        high = z.max(-1, keepdim=True).values
        low = high - 1
        for _ in range(60):
            middle = (low + high) / 2
            too_low = (z - middle).clamp(min=0).square().sum(-1, keepdim=True) > 1
            low, high = torch.where(too_low, middle, low), torch.where(too_low, high, middle)
        tau = (low + high) / 2
    rest = (z - tau).clamp(min=0)
    tau = tau + (rest.square().sum(-1, keepdim=True) - 1) / (2 * rest.sum(-1, keepdim=True))
    return (z - tau).clamp(min=0).square()


def weigh(rule: str, scores_BHTT: Tensor) -> Tensor:
    """Attention weights of masked scores."""
    if rule.startswith("asentmax"):
        return entmax15(scores_BHTT)
    if rule == "scale_invariant":
        T = scores_BHTT.shape[-1]
        t_TT = (torch.arange(T)[:, None] - torch.arange(T)).clamp(min=0).double()
        alpha = beta = math.exp(0.5)
        a_square = 2 * (torch.log(t_TT / 10 + 1) - math.log(alpha) + beta / alpha)
        return (a_square.sqrt() * scores_BHTT - a_square + beta / alpha).softmax(-1)
    return scores_BHTT.softmax(-1)
