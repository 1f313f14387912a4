"""An ExitStack enters generators: one runs the forward of the teacher without gradients, one puts weights back after the
backward."""

from contextlib import ExitStack, contextmanager

import torch
from torch import nn


@contextmanager
def evaluation(module: nn.Module):
    was_training = module.training
    module.eval()
    with torch.no_grad():
        yield module
    module.train(was_training)


@contextmanager
def perturbed(param: nn.Parameter, by: float):
    noise = by * torch.randn_like(param)
    with torch.no_grad():
        param.add_(noise)
    try:
        yield
    finally:
        with torch.no_grad():
            param.sub_(noise)


torch.manual_seed(0)
teacher, student = nn.Linear(3, 2), nn.Linear(3, 2)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for _ in range(2):
    x = torch.randn(4, 3)
    with ExitStack() as stack:
        target = stack.enter_context(evaluation(teacher))(x).sigmoid()
        target /= target.sum(1, keepdim=True)
    with ExitStack() as stack:
        stack.enter_context(perturbed(student.weight, 0.01))
        hidden = student(x).tanh()
        loss = (hidden - target).square().mean()
        optimizer.zero_grad()
        loss.backward()
    optimizer.step()
