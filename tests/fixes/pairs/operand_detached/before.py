import torch
from torch import nn

torch.manual_seed(0)
policy, value = (
    nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)),
    nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)),
)
opt_policy = torch.optim.SGD(policy.parameters(), lr=0.1)
opt_value = torch.optim.SGD(value.parameters(), lr=0.1)
for _ in range(2):
    obs, reward = torch.randn(5, 3), torch.randn(5, 1)
    advantage = reward - value(obs)
    loss_value = advantage.pow(2).mean()
    loss_policy = -(policy(obs) * advantage).mean()
    opt_value.zero_grad()
    loss_value.backward(retain_graph=True)
    opt_value.step()
    opt_policy.zero_grad()
    loss_policy.backward()
    opt_policy.step()
