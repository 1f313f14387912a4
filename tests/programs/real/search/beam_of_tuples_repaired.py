from typing import List, NamedTuple

import torch
from torch import nn


class Hyp(NamedTuple):
    tokens: List[int]
    score: torch.Tensor
    state: torch.Tensor


class Decoder(nn.Module):
    def __init__(self, vocab=5, dim=4):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.out = nn.Linear(dim, vocab)

    def expand(self, hyp: Hyp, k: int) -> List[Hyp]:
        state = self.cell(self.embed(torch.tensor([hyp.tokens[-1]])), hyp.state)
        logp = self.out(state).log_softmax(-1)[0]
        logp = logp.masked_fill(torch.arange(len(logp)) == 0, -1e9)
        top, idx = logp.topk(k)
        return [Hyp(hyp.tokens + [i.item()], hyp.score + s, state) for s, i in zip(top, idx)]

    def search(self, h0, width=2, steps=2):
        beams = [Hyp([1], torch.zeros(()), h0)]
        for _ in range(steps):
            candidates = [new for hyp in beams for new in self.expand(hyp, width)]
            beams = sorted(candidates, key=lambda h: h.score.item(), reverse=True)[:width]
        return beams


decoder = Decoder()
optimizer = torch.optim.Adam(decoder.parameters())
beams = decoder.search(torch.zeros(1, 4))
rewards = torch.rand(len(beams))
scores = torch.stack([b.score for b in beams])
loss = -(scores * (rewards - rewards.mean())).sum()
optimizer.zero_grad()
loss.backward()
optimizer.step()
