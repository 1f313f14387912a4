"""Optimizers find by keyword what they find by place, and schedulers leave all tensors alone."""

import torch
from torch import nn
from torch.optim import lr_scheduler


def trained(optimizer_of):
    net = nn.Linear(2, 2)
    optimizer = optimizer_of(net)
    warm = lr_scheduler.LinearLR(optimizer, total_iters=2)
    schedule = lr_scheduler.SequentialLR(
        optimizer, schedulers=[warm, lr_scheduler.StepLR(optimizer, step_size=1)], milestones=[2]
    )
    plateau = lr_scheduler.ReduceLROnPlateau(optimizer=schedule.optimizer)
    x = torch.rand(3, 2, requires_grad=True)
    net(x).sum().backward()
    loss = net(x).sum()
    optimizer.step(closure=None)  # error: IP102
    schedule.step()
    plateau.step(metrics=loss)
    if schedule.get_last_lr()[0] >= 0:
        loss.backward()


def by_keyword(net):
    return torch.optim.SGD(params=net.parameters(), lr=0.1, momentum=0.9)


def by_place(net):
    return torch.optim.AdamW(net.parameters(), 0.1, (0.9, 0.99), 1e-8, 0.0, True, foreach=False)


for optimizer_of in (by_keyword, by_place):
    try:
        trained(optimizer_of)
    except RuntimeError:
        pass
