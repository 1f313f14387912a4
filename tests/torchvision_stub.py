"""Lets torchvision be imported beside torch's CPU build: its wheel is made for CUDA, and its own ops are not loaded."""

from __future__ import annotations

import torch

_TORCHVISION = torch.library.Library("torchvision", "FRAGMENT")
for name in ("nms", "qnms"):
    _TORCHVISION.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
