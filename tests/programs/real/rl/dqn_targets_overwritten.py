"""Q-learning writes the target into the prediction tensor that is then compared with itself."""

import torch
import torch.nn as nn

model = nn.Sequential(nn.Linear(4, 8), nn.Sigmoid())
opt = torch.optim.SGD(model.parameters(), lr=0.1)
states, rewards = torch.randn(3, 4), torch.rand(3)
acts = [0, 5, 2]
for _ in range(2):
    q_values = model(states)
    target = q_values
    for i, a in enumerate(acts):
        target[i, a] = rewards[i]  # error: IP101
    loss = ((model(states) - target) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
