"""The loss of a batch that was computed before the step is added to the next ones."""

import torch
from torch import nn
from torch.utils.data import DataLoader

from frames import Frames
from networks import Net


def take_first(samples):
    return samples[0]


loader = DataLoader(Frames(), batch_size=1, collate_fn=take_first)
model = Net(4)
optimizer = torch.optim.Adam(model.parameters())
criterion = nn.MSELoss()
for epoch in range(2):
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        if i % 2 == 0:
            if i != 0:
                total /= 2
                optimizer.zero_grad()
                total.backward()
                optimizer.step()  # error: IP102
            total = loss
        else:
            total += loss
