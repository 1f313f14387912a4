import torch
from torch import nn

policy = nn.Sequential(nn.Linear(3, 2), nn.Tanh())
critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(critic.parameters(), lr=0.1)
state = torch.randn(6, 3)

wanted = -critic(policy(state)).mean()

loss = (critic(torch.randn(6, 2)) - 1).pow(2).mean()
opt.zero_grad()
loss.backward()
opt.step()

wanted.backward()
