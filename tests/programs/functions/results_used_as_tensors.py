"""What a function that is given returns is a tensor if it is used as one: arithmetic on it is no arithmetic on numbers."""

import torch
import torch.nn.functional as F


def distil(student, teacher, loader, optimizer, warmth=4.0):
    for x, y in loader:
        answer = student(x)
        with torch.no_grad():
            wanted = F.softmax(teacher(x), dim=1)
        loss = F.kl_div(F.log_softmax(answer / warmth, dim=1), wanted, reduction="batchmean")
        wanted[torch.arange(len(y)), y] = 1.0  # error: IP101
        optimizer.zero_grad()
        try:
            (loss * warmth * warmth + F.cross_entropy(answer, y)).backward()
        except RuntimeError as error:
            print(error)
        optimizer.step()


def distil_in_order(student, teacher, loader, optimizer, warmth=4.0):
    for x, y in loader:
        answer = student(x)
        with torch.no_grad():
            wanted = F.softmax(teacher(x), dim=1)
        wanted[torch.arange(len(y)), y] = 1.0
        loss = F.kl_div(F.log_softmax(answer / warmth, dim=1), wanted, reduction="batchmean")
        optimizer.zero_grad()
        (loss * warmth * warmth + F.cross_entropy(answer, y)).backward()
        optimizer.step()


def train(model, state, size, count):
    """Numbers stay numbers."""
    steps = count(state) * 2
    share = size(state) / steps
    out = model(torch.ones(2, 3))
    out *= share
    out *= share
    out.sum().backward()


exec(
    """
student, teacher = torch.nn.Linear(3, 2), torch.nn.Linear(3, 2)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
loader = [(torch.rand(4, 3), torch.tensor([0, 1, 1, 0]))]
distil(student, teacher, loader, optimizer)
distil_in_order(student, teacher, loader, optimizer)
train(student, 1, lambda state: 2.0, lambda state: 3)
"""
)
