"""Predictions on halves of frames are scaled in place after a sigmoid."""

from torch.utils.data import DataLoader

from frames import Frames, Halves
from networks import Net

model = Net(2)
for x, y in DataLoader(Halves(Frames()), batch_size=2):
    out = model(x).sigmoid()
    out *= 2  # error: IP101
    (out - y).abs().mean().backward()
