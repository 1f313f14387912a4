"""A hydra-like instantiate builds the nested config, whose in-place dropout follows a linear layer that does
not keep its result."""

from importlib import import_module

import torch
from torch import nn

CFG = {
    "model": {
        "_target_": "torch.nn.Sequential",
        "_args_": [
            {"_target_": "torch.nn.Linear", "in_features": 4, "out_features": 8},
            {"_target_": "torch.nn.Dropout", "p": 0.5, "inplace": True},
            {"_target_": "torch.nn.Tanh"},
            {"_target_": "torch.nn.Linear", "in_features": 8, "out_features": 2},
        ],
    },
    "criterion": {"_target_": "torch.nn.MSELoss"},
    "optimizer": {"_target_": "torch.optim.SGD", "_partial_": True, "lr": 0.1},
}


def instantiate(node):
    if isinstance(node, list):
        return [instantiate(item) for item in node]
    if not isinstance(node, dict):
        return node
    node = {key: instantiate(value) for key, value in node.items()}
    if "_target_" not in node:
        return node
    path, name = node.pop("_target_").rsplit(".", 1)
    target, args, partial = getattr(import_module(path), name), node.pop("_args_", []), node.pop("_partial_", False)
    if partial:
        return lambda *more: target(*more, **node)
    return target(*args, **node)


torch.manual_seed(0)
model, criterion = instantiate(CFG["model"]), instantiate(CFG["criterion"])
optimizer = instantiate(CFG["optimizer"])(model.parameters())
for _ in range(2):
    prediction = model(torch.randn(3, 4))
    loss = criterion(prediction, torch.randn(3, 2))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
