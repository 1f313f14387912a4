"""The handler moves the teacher before the losses are walked, but the teacher ran under no_grad and no graph keeps its weights."""

import copy

import torch
import torch.nn.functional as F
from ignite.engine import Engine, Events
from torch import nn


def setup(student, teacher, optimizer, momentum=0.9):
    def step(engine, batch):
        with torch.no_grad():
            target = teacher(batch + 0.1 * torch.randn_like(batch))
        loss = F.mse_loss(student(batch), target)
        engine.state.losses.append(loss)
        return loss.item()

    engine = Engine(step)

    @engine.on(Events.EPOCH_STARTED)
    def clear(engine):
        engine.state.losses = []

    @engine.on(Events.ITERATION_COMPLETED)
    def move_teacher(engine):
        with torch.no_grad():
            for t, s in zip(teacher.parameters(), student.parameters()):
                t.mul_(momentum).add_(s, alpha=1 - momentum)

    @engine.on(Events.EPOCH_COMPLETED)
    def update_student(engine):
        optimizer.zero_grad()
        torch.stack(engine.state.losses).mean().backward()
        optimizer.step()

    return engine


student = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
teacher = copy.deepcopy(student)
engine = setup(student, teacher, torch.optim.SGD(student.parameters(), lr=0.1))
engine.run([torch.randn(4, 4) for _ in range(2)], max_epochs=1)
