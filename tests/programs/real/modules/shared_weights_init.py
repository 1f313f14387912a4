"""Tied weights are initialised after the first forward was recorded."""

import torch
import torch.nn as nn


class LM(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.mid = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, vocab, bias=False)
        self.head.weight = self.tok.weight
        self.apply(self._init_weights)

    def _init_weights(self, m):
        if isinstance(m, nn.Linear):
            torch.nn.init.normal_(m.weight, std=0.02)
            if m.bias is not None:
                nn.init.zeros_(m.bias)
        elif isinstance(m, nn.Embedding):
            nn.init.normal_(m.weight, mean=0.0, std=0.02)

    def forward(self, idx):
        return self.head(torch.tanh(self.mid(self.tok(idx))))


lm = LM(11, 4)
idx = torch.randint(0, 11, (2, 5))
loss = lm(idx).logsumexp(-1).mean()
nn.init.xavier_uniform_(lm.tok.weight)  # error: IP101
loss.backward()
