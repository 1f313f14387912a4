"""Networks: stacks of layers with activations between them, the last one linear unless it is asked otherwise.

Each takes rows of three numbers unless its docstring says otherwise.
"""

from __future__ import annotations

import itertools

import torch
from torch import nn

ACTIVATIONS = {"tanh": nn.Tanh, "relu": nn.ReLU, "gelu": nn.GELU, "silu": nn.SiLU, "elu": nn.ELU}


def stack(*sizes: int, act: str = "tanh", norm: bool = False, last: str = "") -> nn.Sequential:
    """Linear layers of those sizes, with activations between."""
    layers: list[nn.Module] = []
    for before, after in itertools.pairwise(sizes[:-1]):
        layers += [nn.Linear(before, after), *[nn.LayerNorm(after)] * norm, ACTIVATIONS[act]()]
    layers.append(nn.Linear(sizes[-2], sizes[-1]))
    return nn.Sequential(*layers, *[ACTIVATIONS[last]()] if last else [])


class Network(nn.Module):
    """A stack, and the optimizer that some networks bring along."""

    sizes: tuple[int, ...] = (3, 8, 8, 3)

    def __init__(self, act: str = "tanh", norm: bool = False, last: str = "", lr: float = 0.0) -> None:
        super().__init__()
        self.layers = stack(*self.sizes, act=act, norm=norm, last=last)
        if lr:
            self.optimizer = torch.optim.Adam(self.parameters(), lr=lr)

    def forward(self, x):
        return self.layers(x)


class Critic(Network):
    """One number a row."""

    sizes = (3, 8, 8, 1)


class Generator(Network):
    """Rows of three numbers."""


class Actor(Network):
    """Actions: rows of three numbers."""


class Encoder(Network):
    """Features: rows of four numbers."""

    sizes = (3, 8, 4)


class Decoder(Network):
    """Rows of three numbers, of rows of four."""

    sizes = (4, 8, 3)


class Head(Network):
    """Two numbers a row, of rows of four."""

    sizes = (4, 8, 2)


class Policy(Network):
    """Two numbers a row: logits, or values of two actions."""

    sizes = (3, 8, 2)


class Twin(nn.Module):
    """Two critics."""

    def __init__(self, **options) -> None:
        super().__init__()
        self.one, self.two = Critic(**options), Critic(**options)

    def forward(self, x):
        return self.one(x), self.two(x)


class ActorCritic(nn.Module):
    """Logits of two actions and a value, over one trunk."""

    def __init__(self, **options) -> None:
        super().__init__()
        self.trunk, self.policy, self.value = Encoder(**options), Head(), stack(4, 8, 1)

    def forward(self, x):
        features = torch.tanh(self.trunk(x))
        return self.policy(features), self.value(features)


class Variational(nn.Module):
    """Means and log variances: rows of four numbers each."""

    def __init__(self, **options) -> None:
        super().__init__()
        self.trunk, self.mean, self.deviation = Encoder(**options), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        features = torch.relu(self.trunk(x))
        return self.mean(features), self.deviation(features)


class Recurrent(nn.Module):
    """The next state, rows of four numbers, of an input and a state."""

    def __init__(self, **options) -> None:
        super().__init__()
        self.embed, self.cell = stack(3, 4, 4, **options), nn.GRUCell(4, 4)

    def forward(self, x, h):
        return self.cell(torch.tanh(self.embed(x)), h)


class Sequence(nn.Module):
    """Two numbers a step, and the last state, of sequences (3 rows of 5 steps)."""

    def __init__(self, **options) -> None:
        super().__init__()
        self.embed, self.rnn, self.head = stack(3, 4, 4, **options), nn.GRU(4, 4, batch_first=True), nn.Linear(4, 2)

    def forward(self, x, h=None):
        out, h = self.rnn(torch.tanh(self.embed(x)), h)
        return self.head(torch.tanh(out)), h


class Language(nn.Module):
    """Logits of seven words, of words."""

    def __init__(self, **options) -> None:
        super().__init__()
        self.embed, self.layers = nn.Embedding(7, 4), stack(4, 8, 7, **options)

    def forward(self, words):
        return self.layers(self.embed(words))


class Images(nn.Module):
    """Images of two channels, of images of two channels."""

    def __init__(self, act: str = "relu", norm: bool = False) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(2, 4, 3, padding=1),
            nn.BatchNorm2d(4) if norm else nn.Identity(),
            ACTIVATIONS[act](),
            nn.Conv2d(4, 2, 3, padding=1),
        )

    def forward(self, x):
        return self.layers(x)


MODELS = {
    "critic": Critic,
    "generator": Generator,
    "actor": Actor,
    "encoder": Encoder,
    "decoder": Decoder,
    "head": Head,
    "policy": Policy,
    "twin": Twin,
    "actor_critic": ActorCritic,
    "variational": Variational,
    "recurrent": Recurrent,
    "sequence": Sequence,
    "language": Language,
    "images": Images,
}


def build(name: str, **options):
    """The network of that name."""
    return MODELS[name](**options)
