"""Networks whose options are off by default: what they do with an option counts, whoever switches it on."""

import torch
from torch import nn
from torch.nn import functional as F

make = eval("lambda cls, *given, **options: cls(*given, **options)")
run = eval("lambda network, *given: network(*given).sum().backward()")


class GraphLayer(nn.Module):
    def __init__(self, inside, outside, residual=False, layer_norm=False):
        super().__init__()
        self.residual = residual
        self.layer_norm = layer_norm
        self.weights = nn.Linear(inside, outside)
        if self.layer_norm:
            self.norm = nn.LayerNorm(outside)

    def forward(self, feature, graph):
        out = self.weights(torch.bmm(graph, feature))
        if self.layer_norm:
            out = self.norm(out)
        out = F.relu(out)
        if self.residual:
            out += feature  # error: IP101
        return out


def get_activation(name):
    if name == "relu":
        return nn.ReLU(inplace=True)
    return nn.Tanh()


class FeedForward(nn.Module):
    def __init__(self, layers, activation="relu", dropout=None):
        super().__init__()
        parts = []
        for inside, outside in zip(layers, layers[1:]):
            parts.append(nn.Linear(inside, outside))
            parts.append(get_activation(activation))
            if dropout is not None:
                parts.append(nn.Dropout(dropout, inplace=True))
        self.parts = nn.Sequential(*parts)

    def forward(self, x):
        return self.parts(x)  # error: IP101


class Plain(nn.Module):
    def __init__(self, size, shift=False, keep=True):
        super().__init__()
        self.layer = nn.Linear(size, size)
        self.shift, self.keep = shift, keep

    def forward(self, x):
        out = self.layer(x)
        if self.shift:
            out += 1
        if not self.keep:
            out = out.clone()
            out[:, 0] = 0
        return out


class Exclusive(nn.Module):
    def __init__(self, size, squash=False, scale=0):
        super().__init__()
        if squash and scale:
            raise ValueError("either squash or scale")
        self.layer = nn.Linear(size, size)
        self.squash, self.scale = squash, scale

    def forward(self, x):
        out = self.layer(x)
        if self.squash:
            out = torch.sigmoid(out)
        if self.scale:
            out *= self.scale
        return out


graph, feature = torch.rand(2, 3, 3), torch.rand(2, 3, 4)
run(make(GraphLayer, 4, 4), feature, graph)
try:
    run(make(GraphLayer, 4, 4, residual=True, layer_norm=True), feature, graph)
except RuntimeError as error:
    print(error)
run(make(FeedForward, [4, 4, 2]), torch.rand(3, 4))
try:
    run(make(FeedForward, [4, 4, 2], dropout=0.5), torch.rand(3, 4))
except RuntimeError as error:
    print(error)
run(make(Plain, 4, shift=True, keep=False), torch.rand(3, 4))
run(make(Exclusive, 4, scale=2), torch.rand(3, 4))
run(make(Exclusive, 4, squash=True), torch.rand(3, 4))
