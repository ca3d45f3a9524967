"""Random Float Sampling for RoPE models of `transformers` (GPT-NeoX, Llama, ...), which accept floats as position ids."""

import torch

import rfs


def use_random_float(model, *, range, trained, seed=1):
    """Gives every forward pass of `model` RFS positions: sorted random floats in [0, `range`) in training mode
    (`model.train()`), evenly spaced ones otherwise. `trained` is n_tr, the number of tokens in the longest training row.
    The attention mask marks padding, which may be on either side. Returns the hook; `.remove()` removes it."""
    rows_so_far = 0

    def positions(module, arguments, keywords):
        nonlocal rows_so_far
        if keywords.get("past_key_values") is not None:
            raise ValueError("rfs: cached keys have positions of a shorter row; pass use_cache=False")
        ids = arguments[0] if arguments else keywords["input_ids"]
        mask = keywords.get("attention_mask")
        # Without a mask, transformers would take position ids that are not 0, 1, 2, ... for packed rows.
        mask = torch.ones_like(ids) if mask is None else mask
        offsets = torch.nn.functional.pad(mask.sum(1).cumsum(0), (1, 0))
        if module.training:
            packed = rfs.random_float(offsets, range, seed, first=rows_so_far)
            rows_so_far += len(ids)
        else:
            packed = rfs.even_float(offsets, range, trained)
        padded = torch.zeros(ids.shape, device=ids.device).masked_scatter_(mask.bool(), packed)
        return arguments, {**keywords, "attention_mask": mask, "position_ids": padded}

    return model.register_forward_pre_hook(positions, with_kwargs=True)
