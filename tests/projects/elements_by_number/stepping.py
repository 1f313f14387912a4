"""The same, but for a step after each result: the ones after it were computed with the weights that it changes."""

import torch

from network import Encoder, Head


class Stepping:
    def __init__(self, width):
        self.encoder, self.head = Encoder(width), Head(width)
        parameters = [*self.encoder.parameters(), *self.head.parameters()]
        self.optimizer = torch.optim.SGD(parameters, lr=0.1)

    def update(self, loader):
        kept = []
        for batch in loader:
            kept.append((batch, self.encoder(batch)))
        count = len(kept)
        for i in range(count):
            batch, code = kept[i]
            self.optimizer.zero_grad()
            difference = (code - batch).square().mean()
            difference.backward(retain_graph=True)
            self.head(code).backward()
            self.optimizer.step()  # error: IP102
