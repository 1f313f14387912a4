"""The activation's name comes from argparse, and by default it is an in-place one that overwrites what the
attention gate has kept."""

import argparse

import torch
from torch import nn


def get_args(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--act", default="ReLU", choices=["ReLU", "SiLU", "GELU"])
    parser.add_argument("--hidden", type=int, default=8)
    parser.add_argument("--lr", type=float, default=0.1)
    return parser.parse_args(argv)


class Net(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.inp = nn.Linear(4, args.hidden)
        self.gate = nn.Linear(args.hidden, 1)
        self.act = getattr(nn, args.act)(inplace=True)
        self.out = nn.Linear(args.hidden, 2)

    def forward(self, x):
        h = self.inp(x)
        attention = torch.sigmoid(self.gate(h))
        h = self.act(h)  # error: IP101
        return self.out(h * attention)


def main():
    args = get_args([])
    torch.manual_seed(0)
    model = Net(args)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for _ in range(2):
        loss = nn.functional.cross_entropy(model(torch.randn(3, 4)), torch.tensor([0, 1, 1]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
