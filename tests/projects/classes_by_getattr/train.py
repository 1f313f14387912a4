import argparse

import models
import torch
from build import build
from torch import nn


def train_classifier(args):
    net = getattr(models, args.model)(20, 8, 3, dropout=0.5)
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(args.steps):
        scores = net(torch.randint(0, 20, (4, 6)))
        loss = nn.functional.cross_entropy(scores, torch.randint(0, 3, (4,)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def train_block(name, steps=2):
    net = build({"module": "attention", "name": name, "options": {"width": 8, "drop": 0.1}})
    optimizer = torch.optim.AdamW(net.parameters())
    for _ in range(steps):
        loss = net(torch.randn(2, 5, 8)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="Convolved")
    parser.add_argument("--steps", type=int, default=2)
    train_classifier(parser.parse_args())
