import json

import torch
from networks import LAST_KEEPS, NONE_KEEPS


class Trainer:
    def __init__(self, settings):
        self.network = LAST_KEEPS.get(settings.network)(settings.width)
        self.optimizer = torch.optim.SGD(self.network.parameters(), lr=0.1)

    def step(self, x):
        features = self.network.features(x)
        features *= 2  # error: IP101
        loss = self.network.last(features).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class PlainTrainer:
    def __init__(self, settings):
        self.network = NONE_KEEPS[settings.network](settings.width)
        self.optimizer = torch.optim.SGD(self.network.parameters(), lr=0.1)

    def step(self, x):
        features = self.network.features(x)
        features *= 2
        loss = self.network.last(features).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def run(text):
    settings = json.loads(text)
    network = LAST_KEEPS.get(settings["network"], None)(settings["width"])
    optimizer = torch.optim.Adam(network.parameters())
    first = network.last(network.features(torch.randn(5, 4))).mean()
    second = network.last(network.features(torch.randn(5, 4))).mean()
    first.backward()
    optimizer.step()  # error: IP102
    second.backward()
