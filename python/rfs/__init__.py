"""Random Float Sampling positions and rotary attention for PyTorch. The operators are in `torch.ops.rfs` and support
autograd and torch.compile."""

import pathlib

import torch

torch.ops.load_library(pathlib.Path(__file__).with_name("librfs_torch.so"))

sequential = torch.ops.rfs.sequential
interpolated = torch.ops.rfs.interpolated
random_integer = torch.ops.rfs.random_integer
even_integer = torch.ops.rfs.even_integer
random_float = torch.ops.rfs.random_float
even_float = torch.ops.rfs.even_float
rotary = torch.ops.rfs.rotary
attention = torch.ops.rfs.attention


def _fake_positions(offsets, *_, **__):
    return offsets.new_empty(torch.library.get_ctx().new_dynamic_size(), dtype=torch.float32)


for _name in ("sequential", "interpolated", "random_integer", "even_integer", "random_float", "even_float"):
    torch.library.register_fake(f"rfs::{_name}", _fake_positions)
