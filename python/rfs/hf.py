"""Random Float Sampling in a RoPE model of `transformers` (GPT-NeoX, Llama, ...), whose position ids may be floats."""

import torch

import rfs


def use_random_float(model, *, range, trained, seed=1):
    """From now on every pass of `model` gets RFS positions: in training (`model.train()`) sorted random floats below
    `range`, else evenly spaced ones. `trained` is n_tr, the tokens of the longest training row. Rows are as long as
    their attention_mask says, padded at either end. Returns the hook: `.remove()` takes it away."""
    rows_so_far = 0

    def positions(module, arguments, keywords):
        nonlocal rows_so_far
        if keywords.get("past_key_values") is not None:
            raise ValueError("rfs: kept keys have positions of a shorter row; give use_cache=False")
        ids = arguments[0] if arguments else keywords["input_ids"]
        mask = keywords.get("attention_mask")
        mask = torch.ones_like(ids) if mask is None else mask  # without one, ids that are no integers look like packed rows
        offsets = torch.nn.functional.pad(mask.sum(1).cumsum(0), (1, 0))
        if module.training:
            packed = rfs.random_float(offsets, range, seed, first=rows_so_far)
            rows_so_far += len(ids)
        else:
            packed = rfs.even_float(offsets, range, trained)
        padded = torch.zeros(ids.shape, device=ids.device).masked_scatter_(mask.bool(), packed)
        return arguments, {**keywords, "attention_mask": mask, "position_ids": padded}

    return model.register_forward_pre_hook(positions, with_kwargs=True)
