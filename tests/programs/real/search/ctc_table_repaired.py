import torch
import torch.nn.functional as F
from torch import nn


class TinyCTC(nn.Module):
    def __init__(self, blank=0):
        super().__init__()
        self.blank = blank

    def extend(self, target):
        ext = torch.full((2 * len(target) + 1,), self.blank, dtype=torch.long)
        ext[1::2] = target
        return ext

    def forward(self, log_probs, target):
        ext = self.extend(target)
        alpha = torch.full((len(ext),), -1e5)
        alpha[0] = log_probs[0, self.blank]
        alpha[1] = log_probs[0, ext[1]]
        for t in range(1, log_probs.shape[0]):
            prev = alpha.clone()
            shifted = F.pad(prev, (1, 0), value=-1e5)[:-1]
            alpha = alpha.clone()
            alpha[:] = torch.logaddexp(prev, shifted) + log_probs[t][ext]
        return -torch.logaddexp(alpha[-1], alpha[-2])


class Acoustic(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 4, batch_first=True)
        self.head = nn.Linear(4, 5)

    def forward(self, x):
        y, _ = self.rnn(x)
        return self.head(y).log_softmax(-1)


model, criterion = Acoustic(), TinyCTC()
optimizer = torch.optim.Adam(model.parameters())
for _ in range(2):
    lp = model(torch.randn(1, 6, 3))[0]
    loss = criterion(lp, torch.tensor([1, 2]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
