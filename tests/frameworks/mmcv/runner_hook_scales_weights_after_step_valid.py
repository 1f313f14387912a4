"""A hook of mmcv's runner decays the weights after the hook that walks the loss and steps."""

import logging

import torch
from mmcv.runner import EpochBasedRunner, Hook
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inside, self.outside = nn.Linear(2, 4), nn.Linear(4, 1)

    def forward(self, x):
        return self.outside(self.inside(x).tanh())

    def train_step(self, data, optimizer):
        return dict(loss=self(data).square().mean(), log_vars={}, num_samples=len(data))


class Decay(Hook):
    def after_train_iter(self, runner):
        with torch.no_grad():
            runner.model.outside.weight.mul_(0.99)


torch.manual_seed(0)
model = Net()
runner = EpochBasedRunner(
    model, optimizer=torch.optim.SGD(model.parameters(), lr=0.1), logger=logging.getLogger("run"), max_epochs=1
)
runner.register_optimizer_hook(dict(grad_clip=None))
runner.register_hook(Decay())
runner.run([[torch.randn(3, 2)]], [("train", 1)])
