# unsafe: Compute `weights` in every iteration of the loop (computed with the parameters of that iteration)
import torch
from torch import nn

raw = nn.Parameter(torch.ones(3))
net = nn.Linear(3, 1)
opt = torch.optim.SGD([*net.parameters(), raw], lr=0.1)

for _ in range(3):
    weights = torch.softmax(
        raw,
        dim=0,
    )
    loss = net(torch.randn(4, 3) * weights).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
