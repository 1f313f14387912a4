"""Features of a network that is not in sight, kept by the names of its layers: they lead back to what went in."""

import torch
from torch import nn

load = eval("lambda: nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 2))", {"nn": nn})
net = nn.Linear(3, 3)


def find_features(image, network):
    names = {"0": "first", "1": "second", "2": "last"}
    features = {}
    x = image
    for name, layer in network._modules.items():
        x = layer(x)
        features[names[name]] = x
    return features


def find_all(image, network):
    features = {}
    x = image
    for name, layer in network.named_children():
        x = layer(x)
        features[name] = x
    return features


def train(image):
    frozen = load()
    for parameter in frozen.parameters():
        parameter.requires_grad_(False)
    goal = find_features(image, frozen)["last"]
    for _ in range(2):
        target = net(image).exp()
        target += 1  # error: IP101
        loss = torch.mean((find_features(target, frozen)["last"] - goal) ** 2)
        loss.backward()


def train_apart(image):
    frozen = load()
    for parameter in frozen.parameters():
        parameter.requires_grad_(False)
    for _ in range(2):
        target = net(image).exp()
        target = target + 1
        loss = torch.mean(find_all(target, frozen)["2"] ** 2)
        loss.backward()


def train_all(image, network):
    target = net(image).exp()
    target += 1  # error: IP101
    loss = torch.mean(find_all(target, network)["2"] ** 2)
    loss.backward()


def look_at(image, network):
    with torch.no_grad():
        target = net(image).exp()
        target += 1
        return find_all(target, network)["2"]


for function in (train, train_apart):
    try:
        function(torch.rand(4, 3))
    except RuntimeError:
        pass
try:
    train_all(torch.rand(4, 3), load())
except RuntimeError:
    pass
look_at(torch.rand(4, 3), load())
