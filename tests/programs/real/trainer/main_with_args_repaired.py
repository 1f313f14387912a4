"""It is kept as a number."""

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


def build_model(args):
    return nn.Sequential(nn.Linear(args.dim, args.hidden), nn.ReLU(), nn.Linear(args.hidden, 2))


def train_epoch(model, loader, optimizer, args):
    model.train()
    previous = None
    for batch_idx, (data, target) in enumerate(loader):
        optimizer.zero_grad()
        output = model(data)
        loss = F.cross_entropy(output, target)
        if previous is not None:
            loss = loss + args.smooth * (loss - previous).abs()
        loss.backward()
        optimizer.step()
        previous = loss.item()
        if batch_idx % args.log_interval == 0:
            print(f"{batch_idx}: {loss.item():.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dim", type=int, default=4)
    parser.add_argument("--hidden", type=int, default=8)
    parser.add_argument("--smooth", type=float, default=0.1)
    parser.add_argument("--log-interval", type=int, default=10)
    args = parser.parse_args([])
    model = build_model(args)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    dataset = torch.utils.data.TensorDataset(torch.randn(12, args.dim), torch.randint(0, 2, (12,)))
    loader = torch.utils.data.DataLoader(dataset, batch_size=4)
    for _ in range(1):
        train_epoch(model, loader, optimizer, args)


if __name__ == "__main__":
    main()
