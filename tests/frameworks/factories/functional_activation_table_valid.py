"""The table still offers torch.relu_, but the config names another function that makes a new tensor."""

from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import nn

ACT2FN = {"gelu": F.gelu, "relu": torch.relu_, "silu": F.silu, "tanh": torch.tanh}


@dataclass(frozen=True)
class Config:
    hidden_size: int = 6
    hidden_act: str = "relu"
    learning_rate: float = 1e-2


class Feed(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.up = nn.Linear(config.hidden_size, 2 * config.hidden_size)
        self.down = nn.Linear(2 * config.hidden_size, config.hidden_size)
        self.act = ACT2FN[config.hidden_act] if isinstance(config.hidden_act, str) else config.hidden_act

    def forward(self, x):
        scores = self.up(x).exp()
        penalty = scores.mean()
        scores = self.act(scores - 1.0) + self.act(scores)
        return self.down(scores), penalty


config = replace(Config(), hidden_act="silu")
torch.manual_seed(0)
model = Feed(config)
optimizer = torch.optim.SGD(model.parameters(), lr=config.learning_rate)
for _ in range(2):
    x = torch.randn(3, 6)
    out, penalty = model(x)
    loss = F.mse_loss(out, x) + 1e-2 * penalty
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
