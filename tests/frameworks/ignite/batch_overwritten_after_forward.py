"""The batch is shuffled in place to make negatives after the first convolution has kept it, and before the loss is walked."""

import torch
import torch.nn.functional as F
from ignite.engine import Engine, Events
from torch import nn

critic = nn.Sequential(nn.Conv1d(1, 4, 3, padding=1), nn.ELU(), nn.Flatten(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(critic.parameters(), lr=1e-2)


def train_step(engine, x):
    critic.train()
    optimizer.zero_grad()
    positive = critic(x)
    x.copy_(x[:, :, torch.randperm(x.size(2))])  # error: IP101
    negative = critic(x)
    loss = F.softplus(-positive).mean() + F.softplus(negative).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


trainer = Engine(train_step)


@trainer.on(Events.EPOCH_COMPLETED | Events.STARTED)
def report(engine):
    print(engine.state.epoch, engine.state.output)


trainer.run([torch.randn(2, 1, 8) for _ in range(2)], max_epochs=1)
