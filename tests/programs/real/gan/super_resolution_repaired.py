"""The enlarged images are judged again after the judge's step."""

import torch
from torch import nn

enlarge = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 6))
judge = nn.Sequential(nn.Linear(6, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1), nn.Sigmoid())
opt_enlarge = torch.optim.Adam(enlarge.parameters(), 0.1)
opt_judge = torch.optim.Adam(judge.parameters(), 0.1)
for _ in range(2):
    low, high = torch.randn(5, 4), torch.randn(5, 6)
    fake = enlarge(low)

    judge.zero_grad()
    real_out = judge(high).mean()
    fake_out = judge(fake).mean()
    judge_loss = 1 - real_out + fake_out
    judge_loss.backward(retain_graph=True)
    opt_judge.step()
    fake_out = judge(fake).mean()

    enlarge.zero_grad()
    enlarge_loss = 0.001 * (1 - fake_out) + (fake - high).pow(2).mean()
    enlarge_loss.backward()
    opt_enlarge.step()
