# unsafe: Compute `score`, `wanted` again after the step (computed with the new parameters)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
made, judge = nn.Linear(4, 4), nn.Linear(4, 1)
opt = torch.optim.SGD(judge.parameters(), lr=0.1)
fake = made(x)
score = judge(fake)
wanted = -score.sum()
(score * score).sum().backward(retain_graph=True)
opt.step()
score = judge(fake)
wanted = -score.sum()
wanted.backward()
