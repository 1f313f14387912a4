"""Inside an apex-like scale_loss block the averaged weights are written back before backward, which needs the live ones."""

import contextlib
import copy

import torch
import torch.nn.functional as F
from torch import nn


class amp:
    loss_scale = 128.0

    @classmethod
    def initialize(cls, model, optimizer, opt_level="O1"):
        return model, optimizer

    @classmethod
    @contextlib.contextmanager
    def scale_loss(cls, loss, optimizer):
        yield loss.float() * cls.loss_scale
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.div_(cls.loss_scale)

    @staticmethod
    def master_params(optimizer):
        return (p for group in optimizer.param_groups for p in group["params"])


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(inplace=True), nn.Linear(8, 1))
slow = copy.deepcopy(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
model, optimizer = amp.initialize(model, optimizer, opt_level="O1")
for step in range(2):
    x = torch.randn(6, 4)
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), x.sum(dim=1, keepdim=True))
    with amp.scale_loss(loss, optimizer) as scaled_loss:
        with torch.no_grad():
            for fast, kept in zip(model.parameters(), slow.parameters()):
                kept.lerp_(fast, 0.5)
                fast.copy_(kept)  # error: IP101
        scaled_loss.backward()
    torch.nn.utils.clip_grad_norm_(amp.master_params(optimizer), 1.0)
    optimizer.step()
