"""Two DeepSpeed-like engines: the critic's engine steps while the generator's loss, scored before, still needs the old weights."""

import torch
from torch import nn


class Engine(nn.Module):
    def __init__(self, module, optimizer):
        super().__init__()
        self.module = module
        self.optimizer = optimizer
        self.device = torch.device("cpu")

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)

    def backward(self, loss, retain_graph=False):
        loss.backward(retain_graph=retain_graph)
        return loss

    def step(self):
        self.optimizer.step()  # error: IP102
        self.optimizer.zero_grad()


def initialize(model, lr=1e-3):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    return Engine(model, optimizer), optimizer, None, None


generator, _, _, _ = initialize(nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 4)))
critic, _, _, _ = initialize(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)))
for _ in range(1):
    real = torch.randn(5, 4, device=critic.device)
    fake_score = critic(generator(torch.randn(5, 3, device=generator.device)))
    loss_d = critic(real).mean() - fake_score.mean()
    loss_g = fake_score.mean()
    critic.backward(loss_d, retain_graph=True)
    critic.step()
    generator.backward(loss_g)
    generator.step()
