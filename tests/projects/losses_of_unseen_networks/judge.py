import torch
import train
from torch import nn


class Greedy(nn.Module):
    """Each layer learns by a loss of its own."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        losses = []
        for layer in self.layers:
            x = torch.tanh(layer(x.detach()))
            losses.append(x.pow(2).mean())
        return losses, x


def make_batches():
    return [torch.randn(2, 3) for _ in range(2)]


def step_for(model):
    return torch.optim.SGD(model.parameters(), lr=0.1)


def runs_layer_by_layer():
    model = Greedy()
    train.train_layer_by_layer(model, make_batches(), step_for(model))


def runs_with_numbers():
    model = Greedy()
    train.train_with_numbers(model, make_batches(), step_for(model), {})


def raises_shared_graph():
    train.train_shared(make_batches())


def raises_rows_of_one_result():
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    train.train_rows(model, make_batches(), step_for(model))


def raises_rows_of_one_tensor():
    model = nn.Linear(3, 3)
    train.scale_rows(model, torch.randn(2, 3), step_for(model))
