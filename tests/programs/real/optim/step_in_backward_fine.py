import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 1))
opts = {p: torch.optim.SGD([p], lr=0.01) for p in model.parameters()}


def step_now(p):
    opts[p].step()
    opts[p].zero_grad()


for p in model.parameters():
    p.register_post_accumulate_grad_hook(step_now)
for x in torch.randn(3, 5, 4):
    model(x).pow(2).mean().backward()
