"""Running mean and variance are updated in place by what does not require grad."""

import torch


class RunningMeanStd:
    def __init__(self, shape):
        self.mean = torch.zeros(shape)
        self.var = torch.ones(shape)
        self.count = 1e-4

    def update(self, x):
        batch_mean, batch_var, n = x.mean(0), x.var(0), x.shape[0]
        delta = batch_mean - self.mean
        total = self.count + n
        self.mean += delta * n / total
        m2 = self.var * self.count + batch_var * n + delta**2 * self.count * n / total
        self.var.copy_(m2 / total)
        self.count = total


stats = RunningMeanStd((3,))
net = torch.nn.Linear(3, 1)
for _ in range(3):
    x = torch.randn(8, 3)
    stats.update(x)
    net(((x - stats.mean) / stats.var.sqrt()).clamp_(-5, 5)).mean().backward()
