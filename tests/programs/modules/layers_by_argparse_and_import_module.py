"""Layers chosen by a name: from argparse's defaults, from settings in JSON, from a registry and from eval."""

import argparse
import importlib
import json

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--act", type=str, default="GELU", choices=["GELU", "ReLU"])
parser.add_argument("--n-hidden", type=int, default=4)
parser.add_argument("--bias", action="store_true")
args = parser.parse_args([])


class Net(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.linear = nn.Linear(2, args.n_hidden, bias=args.bias)
        self.act = getattr(nn, args.act)()

    def forward(self, x):
        return self.act(self.linear(x).sigmoid())


net = Net(args)
optimizer = getattr(torch.optim, "SGD")(net.parameters(), lr=0.1)
net(torch.randn(2, 2)).sum().backward()
optimizer.step()

relu = getattr(importlib.import_module("torch.nn"), "ReLU")(inplace=True)
scores = nn.Linear(2, 2)(torch.randn(2, 2)).sigmoid()
relu(scores).sum().backward()  # error: IP101

settings = json.loads('{"act": "torch.nn.SiLU", "kw": {"inplace": true}, "sizes": [4, 4, 4]}')


def build(path, **kw):
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**kw)


class Deep(nn.Module):
    def __init__(self, settings):
        super().__init__()
        sizes = settings["sizes"]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.act = build(settings["act"], **settings["kw"])

    def forward(self, x):
        for layer in self.layers:
            x = self.act(layer(x))
        return self.act(x.sigmoid())  # error: IP101


Deep(settings)(torch.randn(2, 4)).sum().backward()

KNOWN = {}


def register(name=None):
    def keep(cls):
        KNOWN[name or cls.__name__.lower()] = cls
        return cls

    return keep


@register()
class Doubled(nn.Module):
    def forward(self, x):
        return x.tanh().mul_(2)  # error: IP101


@register("plain")
class Plain(nn.Module):
    def forward(self, x):
        return x.tanh().mul(2)


x = torch.randn(3, requires_grad=True)
(KNOWN["doubled"]()(x) + KNOWN["plain"]()(x)).sum().backward()


def parse(rows):
    return nn.Sequential(*[eval(name)(*given) for name, given in rows])


layers = parse([["nn.Linear", [2, 2]], ["nn.Sigmoid", []], ["nn.ReLU", [True]]])
layers(torch.randn(2, 2)).sum().backward()  # error: IP101
