"""A trainer class, a scheduler, a closure, a scaler."""

import torch
from torch import nn


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 1)
        self.loss_fn = nn.MSELoss()
        self.history = []

    def step(self, x, y, retain=False):
        pred = self.model(x)
        loss = self.loss_fn(pred, y)
        self.opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=retain)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.sched.step()
        self.history.append(loss)
        return loss

    def bad(self, x, y):
        l1 = self.loss_fn(self.model(x), y)
        l2 = self.loss_fn(self.model(x) * 2, y)
        l1.backward()
        self.opt.step()  # error: IP102
        l2.backward()
        self.opt.step()


model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
tr = Trainer(model, 0.1)
for _ in range(3):
    tr.step(torch.randn(2, 3), torch.randn(2, 1))
try:
    tr.bad(torch.randn(2, 3), torch.randn(2, 1))
except RuntimeError as e:
    print(e)
total = sum(tr.history)
try:
    total.backward()  # error: IP103
except RuntimeError as e:
    print(e)


def closure_train():
    opt = torch.optim.LBFGS(model.parameters(), max_iter=2)

    def closure():
        opt.zero_grad()
        loss = model(torch.ones(1, 3)).pow(2).sum()
        loss.backward()
        return loss

    opt.step(closure)


closure_train()
scaler = torch.amp.GradScaler("cpu", enabled=False)
opt = torch.optim.AdamW(model.parameters())
loss = model(torch.ones(1, 3)).sum()
scaler.scale(loss).backward()
scaler.step(opt)
scaler.update()
