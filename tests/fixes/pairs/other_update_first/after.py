# unsafe: Do the update on lines 16 to 18 first (the updates run in the other order)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
made, judge = (nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, size)) for size in (4, 1))
opt_g = torch.optim.SGD(made.parameters(), lr=0.1)
opt_d = torch.optim.SGD(judge.parameters(), lr=0.1)
for _ in range(3):
    fake = made(x.detach())
    loss_g = -judge(fake).mean()
    loss_d = judge(fake.detach()).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
