"""One part of a batch goes through a network, another one is changed: the parts share nothing."""

import torch
from batches import make_loader, move, move_in_place
from readers import TRAIN, Readings
from torch import nn
from torch.utils.data import DataLoader

net = nn.Linear(3, 1)
device = torch.device("cpu")
for batch in make_loader():
    batch = move(batch, device)
    out = net(batch["signal"])
    bound = batch["bound"]
    bound[bound > 0.5] = 1
    (out - bound).abs().mean().backward()
for batch in make_loader():
    batch = move_in_place(batch, device)
    out = net(batch["signal"])
    batch["bound"] += 1
    out.sum().backward()
for batch in DataLoader(Readings()):
    signal, bound = batch["signal"], batch["bound"]
    out = net(signal)
    bound += 1
    out.sum().backward()
for batch in DataLoader(TRAIN, batch_size=2):
    signal, bound = batch["signal"], batch["bound"]
    out = net(signal)
    bound += 1
    out.sum().backward()
for batch in DataLoader(Readings()):
    batch = move(batch, device)
    signal, bound, weight = batch["signal"], batch["bound"], batch.get("weight", 1)
    out = net(signal) * weight
    bound += 1
    out.sum().backward()
