import argparse

import torch
from torch import nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--width", type=int, required=True)
    parser.add_argument("--mode", choices=["train", "resume"], required=True)
    args = parser.parse_args()
    net = nn.Linear(args.width, 4)
    x = torch.randn(3, args.width).pin_memory().cuda(non_blocking=True)
    torch.cuda.synchronize()
    y = net(x).sigmoid()
    if args.mode == "train":
        y.mul_(0.5)  # confirmed, repaired: y = y * 0.5
    y.sum().backward()


if __name__ == "__main__":
    main()
