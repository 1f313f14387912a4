"""The teacher is none of the student's parts: a step of the student's optimizer leaves its weights alone."""

import torch

from layers import make_taught


def train_student(x):
    student = make_taught(3)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    goal = student.teacher(x).square().sum()
    student(x).square().sum().backward()
    optimizer.step()
    goal.backward()


def train_both(x):
    student = make_taught(3)
    optimizer = torch.optim.SGD([*student.parameters(), *student.teacher.parameters()], lr=0.1)
    goal = student.teacher(student.teacher(x)).square().sum()
    goal.backward(retain_graph=True)
    optimizer.step()  # error: IP102
    goal.backward()
