"""The targets are smoothed in place on a copy for the second head, so those that the first loss has kept stay
hard."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, default_collate


class Sample(NamedTuple):
    signal: torch.Tensor
    tags: torch.Tensor


def multi_hot_collate(samples, classes=3):
    batch = default_collate(samples)
    return batch._replace(tags=F.one_hot(batch.tags, classes).float())


torch.manual_seed(0)
samples = [Sample(torch.randn(5), torch.tensor(i % 3)) for i in range(4)]
trunk, hard, soft = nn.Linear(5, 8), nn.Linear(8, 3), nn.Linear(8, 3)
parameters = [p for module in (trunk, hard, soft) for p in module.parameters()]
optimizer = torch.optim.NAdam(parameters, lr=1e-3)
for signal, tags in DataLoader(samples, batch_size=2, collate_fn=multi_hot_collate):
    signal.sub_(signal.mean(dim=1, keepdim=True))
    hidden = trunk(signal).relu_()
    loss = F.binary_cross_entropy_with_logits(hard(hidden), tags)
    tags = tags.clone().mul_(0.9).add_(0.1 / tags.shape[1])
    loss += F.binary_cross_entropy_with_logits(soft(hidden), tags)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
