"""Encodings and attention rules that golden.py adds to its Transformer, written from their formulas in float64.

Each encoding changes the scores [B,H,T,T] of queries and keys; each rule scales queries or turns scores into weights. Shapes are
golden.py's: B rows, T tokens, H heads, E head width, D width.
"""

import math

import torch
from torch import Tensor

FIRE_THRESHOLD = 512.0
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


def t5_bias(table: Tensor, distance: Tensor) -> Tensor:
    """Bucket d below 16, else 16 + 16 log(d/16) / log(128/16), at most 31, as a real number; linear in between."""
    far = 16 + 16 * torch.log(distance.clamp(min=16.0) / 16) / math.log(128 / 16)
    bucket = torch.where(distance < 16, distance, far).clamp(0, 31)
    low = bucket.floor().long()
    high = (low + 1).clamp(max=31)
    weight = (bucket - low)[..., None]
    return (table[low] * (1 - weight) + table[high] * weight).permute(0, 3, 1, 2)


def fire(get, distance_BTT: Tensor, positions_BT: Tensor) -> Tensor:
    c, threshold = get("encoding.c"), FIRE_THRESHOLD * get("encoding.threshold_factor")
    reference_BT1 = torch.maximum(positions_BT, threshold)[:, :, None]
    ratio = torch.log(c * distance_BTT + 1) / (torch.log(c * reference_BT1 + 1) + 1e-6)
    hidden = torch.relu(ratio[..., None] * get("encoding.in.weight")[:, 0] + get("encoding.in.bias"))
    return (hidden @ get("encoding.out.weight").T + get("encoding.out.bias")).permute(0, 3, 1, 2)


def dape(get, scores_BHTT: Tensor, distance_BTT: Tensor) -> Tensor:
    p, a = (get(f"encoding.{x}").clamp(min=0.01)[:, None, None] for x in "pa")
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


def encode(encoding: str, get, scores_BHTT: Tensor, q_BHTE: Tensor, positions_BT: Tensor, slopes) -> Tensor:
    """Scores with the encoding. `q_BHTE` are queries times the scale of the scores, `slopes` ALiBi's for some heads."""
    distance_BTT = (positions_BT[:, :, None] - positions_BT[:, None, :]).clamp(min=0)
    heads = scores_BHTT.shape[1]
    if encoding == "t5_bias":
        return scores_BHTT + t5_bias(get("encoding.table"), distance_BTT)
    if encoding == "fire":
        return scores_BHTT + fire(get, distance_BTT, positions_BT)
    if encoding == "dape":
        return dape(get, scores_BHTT, distance_BTT)
    if encoding == "wavelet":
        return scores_BHTT + wavelet(q_BHTE, distance_BTT)
    if encoding == "nape":
        with_positions = (heads + 1) // 2
        some = torch.tensor(slopes(with_positions) + [0.0] * (heads - with_positions), dtype=torch.float64)
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
