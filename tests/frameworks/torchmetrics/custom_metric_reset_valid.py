"""The custom metric's list state keeps graphs, but it is only dropped by reset, never written, so each loss
walks its own graph."""

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
        self.add_state("seen", default=torch.tensor(0), dist_reduce_fx="sum")

    def update(self, embeddings):
        self.embeddings.append(embeddings)
        self.seen += len(embeddings)

    def compute(self):
        everything = dim_zero_cat(self.embeddings)
        return pairwise_cosine_similarity(everything, zero_diagonal=True).exp().mean().log()


torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 3), nn.Tanh())
optimizer = torch.optim.Adam(encoder.parameters())
uniformity = Uniformity()
for _ in range(2):
    embeddings = encoder(torch.randn(5, 4))
    uniformity.update(embeddings)
    loss = uniformity.compute()
    uniformity.reset()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
