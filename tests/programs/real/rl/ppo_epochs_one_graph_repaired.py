"""They are computed in every epoch."""

import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))
optim = torch.optim.Adam(net.parameters(), lr=3e-4)
states = torch.randn(10, 3)
actions = torch.randint(0, 2, (10,))
advantages = torch.randn(10)
with torch.no_grad():
    old_log_probs = torch.log_softmax(net(states), dim=-1).gather(1, actions.unsqueeze(1)).squeeze(1)
for _ in range(4):
    new_log_probs = torch.log_softmax(net(states), dim=-1).gather(1, actions.unsqueeze(1)).squeeze(1)
    ratio = (new_log_probs - old_log_probs).exp()
    surr1 = ratio * advantages
    surr2 = torch.clamp(ratio, 0.8, 1.2) * advantages
    loss = -torch.min(surr1, surr2).mean()
    optim.zero_grad()
    loss.backward()
    optim.step()
