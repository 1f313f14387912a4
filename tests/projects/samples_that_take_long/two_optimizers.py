"""Two networks are trained on one forward pass, on frames."""

import torch
from torch.utils.data import DataLoader

from frames import Frames
from networks import Net

loader = DataLoader(Frames(), batch_size=2)
encoder, head = Net(4), Net(1)
first = torch.optim.SGD(encoder.parameters(), lr=0.1)
second = torch.optim.SGD(head.parameters(), lr=0.1)
for x, y in loader:
    code = encoder(x)
    out = head(code)
    first.zero_grad()
    second.zero_grad()
    loss = (out - y).pow(2).mean()
    loss.backward(retain_graph=True)
    second.step()  # error: IP102
    (loss + code.abs().mean()).backward()
    first.step()
