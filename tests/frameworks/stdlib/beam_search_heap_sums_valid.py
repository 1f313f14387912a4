"""A differentiable beam search adds log-probabilities in place to fresh sums, which addition never keeps."""

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
    score: Tensor = field(compare=False)


class Decoder(nn.Module):
    def __init__(self, vocab: int = 4, dim: int = 5) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, token: int) -> Tensor:
        return self.out(self.embed(torch.tensor(token))).log_softmax(dim=-1)


class BeamSearch:
    def __init__(self, decoder: Decoder, width: int, length: int, penalty: float = 0.6) -> None:
        self.decoder, self.width, self.length, self.penalty = decoder, width, length, penalty
        self.ticket = itertools.count()

    def expand(self, parent: Hypothesis):
        log_probs = self.decoder(parent.tokens[-1])
        for token in log_probs.topk(self.width).indices.tolist():
            score = parent.score + log_probs[token]
            yield Hypothesis(-score.item(), next(self.ticket), [*parent.tokens, token], score)

    def __call__(self, start: int) -> list[Hypothesis]:
        beam = [Hypothesis(0.0, next(self.ticket), [start], torch.zeros(()))]
        for _ in range(self.length):
            candidates = itertools.chain.from_iterable(map(self.expand, beam))
            beam = heapq.nsmallest(self.width, candidates)
        for hypothesis in beam:
            hypothesis.score /= len(hypothesis.tokens) ** self.penalty
        return beam


def main() -> None:
    torch.manual_seed(0)
    decoder = Decoder()
    optimizer = torch.optim.Adam(decoder.parameters(), lr=0.01)
    for _ in range(2):
        beam = BeamSearch(decoder, width=2, length=2)(start=0)
        heapq.heapify(beam)
        scores = [heapq.heappop(beam).score for _ in range(2)]
        loss = -torch.logsumexp(torch.stack(scores), dim=0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
