# unsafe: Detach `fake` on line 15 (`fake` gets no gradient of this loss)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
made, judge = (nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, size)) for size in (4, 1))
opt_g = torch.optim.SGD(made.parameters(), lr=0.1)
opt_d = torch.optim.SGD(judge.parameters(), lr=0.1)
for _ in range(3):
    fake = made(x.detach())
    opt_g.zero_grad()
    (-judge(fake).mean()).backward(retain_graph=True)
    opt_g.step()
    opt_d.zero_grad()
    judge(fake.detach()).mean().backward()
    opt_d.step()
