"""The part that went through the network is changed itself."""

from batches import make_loader, move
from torch import nn

net = nn.Linear(3, 1)
for batch in make_loader():
    batch = move(batch, "cpu")
    signal = batch["signal"]
    out = net(signal)
    signal += 1  # error: IP101
    out.sum().backward()
