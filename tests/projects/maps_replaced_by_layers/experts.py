"""Mixtures of experts: they replace rows of one tensor, which is no list of maps."""

from torch import nn


class Experts(nn.Module):
    def __init__(self, width, count):
        super().__init__()
        self.gate = nn.Linear(width, count)
        self.experts = nn.ModuleList([nn.Linear(width, width) for _ in range(count)])


class Masked(Experts):
    def forward(self, x):
        scores = x * self.gate.weight[0]
        chosen = scores.sum(-1) > 0
        for k in range(2):
            mask = chosen == bool(k)
            x[mask] = self.experts[k](x[mask])  # error: IP101
        return x * scores


class Chosen(Experts):
    def forward(self, x):
        scores = self.gate(x)
        chosen = scores.argmax(-1)
        for k, _ in enumerate(self.experts):
            rows = (chosen == k).nonzero()[:, 0]
            x[rows] = self.experts[k](x[rows])  # error: IP101
        return x * scores.softmax(-1).amax(-1)[:, None]


class Moved(Experts):
    def forward(self, x):
        for k in range(2):
            x[k + 1] = self.experts[k](x[k + 1])  # error: IP101
        return x


class GatedRows(Experts):
    """What the gate takes is one tensor, and so are its rows, though all indices are numbers."""

    def forward(self, x):
        scores = self.gate(x)
        for k in range(2):
            x[k + 1] = x[k + 1] + x[k]  # error: IP101
            x[k + 1] = self.experts[k](x[k + 1])  # error: IP101
        return scores.sum() + x


class Copied(Experts):
    """The rows are written to a copy of what the layers have kept."""

    def forward(self, x):
        out = x.clone()
        chosen = self.gate(x).argmax(-1)
        for k in range(2):
            rows = (chosen == k).nonzero()[:, 0]
            out[rows] = self.experts[k](x[rows])
        return out * x
