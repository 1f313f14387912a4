import torch
from torch import nn


class Segments:
    def __init__(self, seq, size):
        self.seq, self.size = seq, size

    def __len__(self):
        return self.seq.size(0) // self.size

    def __getitem__(self, i):
        if i >= len(self):
            raise IndexError(i)
        return self.seq[i * self.size : (i + 1) * self.size]


rnn, head = nn.RNN(2, 3), nn.Linear(3, 1)
opt = torch.optim.Adam([*rnn.parameters(), *head.parameters()])
h = None
for segment in Segments(torch.randn(6, 1, 2), 2):
    if h is not None:
        h = h.detach()
    out, h = rnn(segment, h)
    loss = head(out).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
