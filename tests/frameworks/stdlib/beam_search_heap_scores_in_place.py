"""A differentiable beam search normalises hypotheses in place after their successors' products have kept them."""

import heapq
import itertools
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn


@dataclass(order=True)
class Hypothesis:
    priority: float
    order: int
    tokens: list[int] = field(compare=False)
    likelihood: Tensor = field(compare=False)


class Decoder(nn.Module):
    def __init__(self, vocab: int = 4, dim: int = 5) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, token: int) -> Tensor:
        return self.out(self.embed(torch.tensor(token))).log_softmax(dim=-1)


class BeamSearch:
    def __init__(self, decoder: Decoder, width: int, length: int) -> None:
        self.decoder, self.width, self.length = decoder, width, length
        self.ticket = itertools.count()
        self.finished: list[Hypothesis] = []

    def expand(self, parent: Hypothesis):
        log_probs = self.decoder(parent.tokens[-1])
        for token in log_probs.topk(self.width).indices.tolist():
            likelihood = parent.likelihood * log_probs[token].exp()
            yield Hypothesis(-likelihood.item(), next(self.ticket), [*parent.tokens, token], likelihood)

    def __call__(self, start: int) -> list[Hypothesis]:
        beam = [Hypothesis(-1.0, next(self.ticket), [start], torch.ones(()))]
        for _ in range(self.length):
            candidates = list(itertools.chain.from_iterable(map(self.expand, beam)))
            for parent in beam:
                parent.likelihood /= len(parent.tokens)  # error: IP101
            self.finished.extend(beam)
            beam = heapq.nsmallest(self.width, candidates)
        return beam


def main() -> None:
    torch.manual_seed(0)
    decoder = Decoder()
    optimizer = torch.optim.Adam(decoder.parameters(), lr=0.01)
    beam = BeamSearch(decoder, width=2, length=2)(start=0)
    heapq.heapify(beam)
    scores = [heapq.heappop(beam).likelihood.log() for _ in range(2)]
    loss = -sum(scores)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


if __name__ == "__main__":
    main()
