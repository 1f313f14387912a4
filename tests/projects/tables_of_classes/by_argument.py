import torch
from networks import FIRST_KEEPS, NONE_KEEPS


def train(name, width=6):
    network = FIRST_KEEPS[name](width)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    for _ in range(2):
        features = network.features(torch.randn(5, 4))
        features *= 2  # error: IP101
        loss = network.last(features).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def train_with_care(name, width=6):
    network = FIRST_KEEPS[name](width)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    features = network.features(torch.randn(5, 4))
    if name == "gated":
        features = features * 2
    else:
        features *= 2
    loss = network.last(features).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def train_any(name, width=6):
    network = NONE_KEEPS.get(name)(width)
    features = network.features(torch.randn(5, 4))
    features *= 2
    network.last(features).mean().backward()
