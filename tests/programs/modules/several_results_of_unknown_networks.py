"""A network nobody sees gives several results: each is a tensor of its own, no row of another one."""

import torch
import torch.nn.functional as F
from torch import nn

hidden = {}
exec(
    """
import torch
from torch import nn

class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk, self.mean, self.deviation = nn.Linear(3, 4), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        features = torch.tanh(self.trunk(x))
        return self.mean(features), self.deviation(features)
""",
    hidden,
)
encoder, head = hidden["Encoder"](), nn.Linear(4, 3)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)


def fit(encoder, x):
    mean, deviation = encoder(x)
    deviation.mul_(0.5)
    mean[:, 0] = 0
    z = mean + deviation.exp()
    loss = F.mse_loss(head(z), x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def fit_written_late(encoder, x):
    mean, deviation = encoder(x)
    z = mean + deviation.exp()
    deviation.clamp_(-5, 5)
    mean.mul_(2)
    loss = F.mse_loss(head(z), x) + mean.pow(2).mean()
    mean.add_(1)  # error: IP101
    try:
        loss.backward()
    except RuntimeError as error:
        print(error)


fit(encoder, torch.rand(2, 3))
fit_written_late(encoder, torch.rand(2, 3))
rows, others = torch.rand(2, 3, requires_grad=True) * 1
try:
    rows.add_(1)  # error: IP203
except RuntimeError as error:
    print(error)
