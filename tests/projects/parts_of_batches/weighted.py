"""A part of a batch is scaled after its square was taken."""

from batches import make_loader, move_in_place
from torch import nn

net = nn.Linear(3, 1)
for batch in make_loader():
    batch = move_in_place(batch, "cpu")
    out = net(batch["signal"]) * batch["bound"][:, :1]
    batch["bound"].mul_(2)  # error: IP101
    out.sum().backward()
