"""One pass of a loop makes the layer that another pass, through another arm, starts with a bias of its own."""

import torch
from torch import nn


def build(specs):
    layers = nn.ModuleList()
    for spec in specs:
        block = nn.Sequential()
        if spec["kind"] == "conv":
            has_norm = spec["norm"]
            block.add_module("conv", nn.Conv2d(spec["in"], spec["out"], 1, bias=not has_norm))
            if has_norm:
                block.add_module("norm", nn.BatchNorm2d(spec["out"]))
            if spec["act"] == "leaky":
                block.add_module("act", nn.LeakyReLU(0.1, inplace=True))
            elif spec["act"] == "silu":
                block.add_module("act", nn.SiLU())
            elif spec["act"] == "tanh":
                block.add_module("act", nn.Tanh())
        elif spec["kind"] == "pool":
            block = nn.MaxPool2d(spec["size"])
        elif spec["kind"] == "norm":
            block = nn.BatchNorm2d(spec["out"])
            if spec["out"] == 3:
                block.running_mean = torch.tensor([0.4, 0.5, 0.6])
        elif spec["kind"] == "up":
            block = nn.Upsample(scale_factor=spec["factor"])
        elif spec["kind"] == "pad":
            block = nn.ZeroPad2d(spec["size"] if "size" in spec else 1)
        elif spec["kind"] == "skip":
            pass
        elif spec["kind"] == "head":
            anchors = spec["anchors"] if "anchors" in spec else 2
            try:
                before = layers[-1][0]
                rows = before.bias.view(anchors, -1)
                rows[:, 1] += -4.5  # error: IP202
                before.bias = nn.Parameter(rows.view(-1))
            except RuntimeError:
                print("the bias stays as it is")
        layers.append(block)
    return layers


def build_without_grad(specs):
    layers = nn.ModuleList()
    for spec in specs:
        block = nn.Sequential()
        if spec["kind"] == "conv":
            has_norm = spec["norm"]
            block.add_module("conv", nn.Conv2d(spec["in"], spec["out"], 1, bias=not has_norm))
        elif spec["kind"] == "pool":
            block = nn.MaxPool2d(spec["size"])
        elif spec["kind"] == "head":
            before = layers[-1][0]
            with torch.no_grad():
                rows = before.bias.view(2, -1)
                rows[:, 1] += -4.5
        layers.append(block)
    return layers


for name in ("build", "build_without_grad"):  # nothing in sight says with what
    conv = {"kind": "conv", "in": 3, "out": 4, "norm": False, "act": "none"}
    globals()[name]([conv, {"kind": "head"}])
