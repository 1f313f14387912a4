import torch
from torch import nn

policy, q = nn.Sequential(nn.Linear(3, 2), nn.Tanh()), nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
opt_p, opt_q = torch.optim.Adam(policy.parameters(), 0.1), torch.optim.Adam(q.parameters(), 0.1)
for _ in range(2):
    state = torch.randn(6, 3)
    value = q(torch.cat([state, policy(state)], 1))
    q_loss = (q(torch.cat([state, torch.randn(6, 2)], 1)) - 1).pow(2).mean()
    p_loss = -value.mean()

    # the critic
    opt_q.zero_grad()
    q_loss.backward()
    opt_q.step()

    # the actor
    opt_p.zero_grad()
    p_loss.backward()
    opt_p.step()

    print("done")
