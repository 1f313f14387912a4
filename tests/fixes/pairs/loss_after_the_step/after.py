# unsafe: Move the computation of `loss_g` after the step (computed with the new parameters)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
made, judge = (nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, size)) for size in (4, 1))
opt_g = torch.optim.SGD(made.parameters(), lr=0.1)
opt_d = torch.optim.SGD(judge.parameters(), lr=0.1)
for _ in range(3):
    fake = made(x.detach())
    loss_d = judge(fake.detach()).mean()
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
    loss_g = -judge(fake).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
