"""What an argument computes under no_grad carries no graph: nothing saves what is computed of it alone."""

import torch
import torch.nn.functional as F


def distil(student, teacher, loader, optimizer):
    for x, _ in loader:
        with torch.no_grad():
            answer = teacher(x)
        wanted = torch.softmax(answer, dim=-1)
        wanted += 1e-6
        loss = -(wanted * F.log_softmax(student(x), dim=-1)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def distil_and_sharpen(student, teacher, loader, optimizer):
    for x, y in loader:
        with torch.no_grad():
            answer = teacher(x)
        wanted = torch.softmax(answer.float(), dim=-1)
        loss = F.kl_div(F.log_softmax(student(x), dim=-1), wanted, reduction="batchmean")
        wanted[torch.arange(len(y)), y] = 1.0  # error: IP101
        optimizer.zero_grad()
        try:
            loss.backward()
        except RuntimeError as error:
            print(error)
        optimizer.step()


def distil_with_graph(student, teacher, loader):
    for x, _ in loader:
        answer = teacher(x)
        wanted = torch.softmax(answer, dim=-1)
        wanted += 1e-6  # error: IP101
        loss = -(wanted * F.log_softmax(student(x), dim=-1)).sum()
        try:
            loss.backward()
        except RuntimeError as error:
            print(error)


@torch.no_grad()
def ask(teacher, x):
    return teacher(x)


def distil_by_function(student, teacher, loader):
    for x, _ in loader:
        wanted = torch.sigmoid(ask(teacher, x).float())
        wanted += 1e-6
        (wanted * student(x)).sum().backward()


exec(
    """
student, teacher = torch.nn.Linear(3, 2), torch.nn.Linear(3, 2)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
loader = [(torch.rand(4, 3), torch.tensor([0, 1, 1, 0]))]
distil(student, teacher, loader, optimizer)
distil_and_sharpen(student, teacher, loader, optimizer)
distil_with_graph(student, teacher, loader)
distil_by_function(student, teacher, loader)
"""
)
