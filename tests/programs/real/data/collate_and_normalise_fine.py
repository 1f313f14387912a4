"""A collate function pads in place, the step normalises the batch in place before the model sees it."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader


def collate(batch):
    lengths = torch.tensor([len(x) for x in batch])
    padded = torch.zeros(len(batch), int(lengths.max()), 2)
    for i, x in enumerate(batch):
        padded[i, : len(x)] = x
    return padded, lengths


sequences = [torch.randn(n, 2) for n in (3, 5, 2, 4)]
loader = DataLoader(sequences, batch_size=2, collate_fn=collate)
rnn = nn.GRU(2, 3, batch_first=True)
head = nn.Linear(3, 1)
opt = torch.optim.Adam([*rnn.parameters(), *head.parameters()])
for padded, lengths in loader:
    padded -= padded.mean(dim=(0, 1))
    padded /= padded.std() + 1e-6
    packed = nn.utils.rnn.pack_padded_sequence(padded, lengths, batch_first=True, enforce_sorted=False)
    _, h = rnn(packed)
    loss = head(h[-1]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
