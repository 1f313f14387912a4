"""The episode's value and policy loss add up; each step is walked, and the graph of the hidden state is freed."""

import torch
import torch.nn as nn

cell = nn.LSTMCell(3, 8)
pi, vf = nn.Linear(8, 2), nn.Linear(8, 1)
params = [*cell.parameters(), *pi.parameters(), *vf.parameters()]
opt = torch.optim.Adam(params, lr=1e-3)


def episode(steps=3):
    hx, cx = torch.zeros(1, 8), torch.zeros(1, 8)
    total = 0
    opt.zero_grad()
    for _ in range(steps):
        hx, cx = cell(torch.randn(1, 3), (hx, cx))
        logp = torch.log_softmax(pi(hx), dim=-1)
        adv = torch.rand(1) - vf(hx)
        loss = -(logp[:, 0] * adv.detach()).sum() + adv.pow(2).sum()
        loss.backward()  # error: IP103
    opt.step()


episode()
