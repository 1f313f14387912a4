"""Constructors that set `inplace` of layers that they have made."""

import torch
import torch.nn as nn


class OneLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)
        self.act = nn.ReLU()
        self.act.inplace = True

    def forward(self, x):
        return self.act(torch.sigmoid(self.l(x)))  # error: IP101


class ByApply(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)
        self.parts = nn.Sequential(nn.Sigmoid(), nn.Dropout(0.3))
        self.apply(self.set_flag)

    def set_flag(self, m):
        if isinstance(m, nn.Dropout):
            m.inplace = True

    def forward(self, x):
        return self.parts(self.l(x))  # error: IP101


class ByName(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)
        self.parts = nn.Sequential(nn.Tanh(), nn.ELU())
        for _, m in self.named_modules():
            if hasattr(m, "inplace"):
                setattr(m, "inplace", True)

    def forward(self, x):
        return self.parts(self.l(x))  # error: IP101


class SetFalse(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)
        self.parts = nn.Sequential(nn.Tanh(), nn.ELU(True))
        for m in self.modules():
            if hasattr(m, "inplace"):
                m.inplace = False

    def forward(self, x):
        return self.parts(self.l(x))
