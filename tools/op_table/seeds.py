"""Seed the random numbers that example calls are made of."""

# ruff: noqa: PLC0415 (torch is imported where it is used: see the package)

from __future__ import annotations

import random
import sys


def set_seed(seed: int) -> None:
    """Seed the random numbers of the CPU. `torch.manual_seed` would format the stack for every other kind of device."""
    import torch

    random.seed(seed)
    torch.default_generator.manual_seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)
