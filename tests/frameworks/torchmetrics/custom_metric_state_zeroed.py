"""The custom metric keeps the embeddings themselves, and clearing its state in place zeroes what the encoder's
tanh has kept."""

import torch
from torch import nn
from torchmetrics import Metric
from torchmetrics.functional import pairwise_cosine_similarity
from torchmetrics.utilities import dim_zero_cat


class Uniformity(Metric):
    full_state_update = False

    def __init__(self):
        super().__init__()
        self.add_state("embeddings", default=[], dist_reduce_fx="cat")

    def update(self, embeddings):
        self.embeddings.append(embeddings)

    def compute(self):
        everything = dim_zero_cat(self.embeddings)
        return pairwise_cosine_similarity(everything, zero_diagonal=True).exp().mean().log()

    def forget(self):
        with torch.no_grad():
            for embeddings in self.embeddings:
                embeddings.zero_()  # error: IP101
        self.reset()


torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 3), nn.Tanh())
optimizer = torch.optim.Adam(encoder.parameters())
uniformity = Uniformity()
for _ in range(2):
    embeddings = encoder(torch.randn(5, 4))
    uniformity.update(embeddings)
    loss = uniformity.compute()
    uniformity.forget()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
