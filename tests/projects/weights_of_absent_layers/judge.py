import sys
import types

import torch
from torch import nn


class WeightedLoss(nn.CrossEntropyLoss):
    pass


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem_conv = nn.Conv2d(4, 2, 3)
        self.text = nn.Module()
        self.text.word_embeddings = nn.Embedding(5, 4)

    @classmethod
    def from_pretrained(cls, name):
        return cls()


sys.modules["sparse_layers"] = types.SimpleNamespace(
    SparseConv=nn.Conv1d, WeightedLoss=WeightedLoss, make_stage=lambda width: nn.Conv1d(width, width, 3)
)
sys.modules["zoo_of_networks"] = types.SimpleNamespace(
    Network=Network, load_tokens=lambda: types.SimpleNamespace(weight=torch.ones(2))
)

import detector
import surgery


def raises_start_low():
    detector.Head(4, 3).start_low()


def runs_start_low_without_grad():
    head = detector.Head(4, 3)
    head.start_low_without_grad()
    head.ignore_class(1)
    head(torch.randn(2, 4, 9), torch.zeros(2, 7, dtype=torch.long)).backward()


def raises_shrink():
    detector.Backbone(4).shrink(0.5)


def runs_shrink_data():
    detector.Backbone(4).shrink_data(0.5)


def raises_take_four_channels():
    surgery.take_four_channels("")


def runs_take_four_channels_frozen():
    surgery.take_four_channels_frozen("")


def raises_add_words():
    surgery.add_words(Network(), 2)


def runs_others():
    surgery.follow(Network(), Network(), 0.9)
    surgery.weigh_edges(types.SimpleNamespace(edges=[types.SimpleNamespace(weight=torch.ones(2))]))
