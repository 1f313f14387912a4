import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class MeanTeacher(nn.Module):
    def __init__(self, student, alpha=0.99):
        super().__init__()
        self.student = student
        self.teacher = copy.deepcopy(student)
        for p in self.teacher.parameters():
            p.requires_grad_(False)
        self.alpha = alpha

    def forward(self, x):
        noise = 0.1 * torch.randn_like(x)
        return self.student(x), self.teacher(x + noise)

    @torch.no_grad()
    def update_teacher(self):
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.data.mul_(self.alpha).add_(s.data, alpha=1 - self.alpha)


def train(loader):
    model = MeanTeacher(nn.Sequential(nn.Linear(5, 7), nn.ReLU(), nn.Linear(7, 3)))
    opt = torch.optim.SGD(model.student.parameters(), lr=0.1, momentum=0.9)
    for x, y in loader:
        s, t = model(x)
        loss = F.cross_entropy(s, y) + F.mse_loss(F.softmax(s, 1), F.softmax(t, 1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.update_teacher()


train([(torch.randn(4, 5), torch.randint(0, 3, (4,))) for _ in range(2)])
