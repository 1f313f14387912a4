import torch
from torch import nn
from torch.distributions import Normal


class GaussianPolicy(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(3, 8), nn.ReLU())
        self.mean, self.log_std = nn.Linear(8, 2), nn.Linear(8, 2)

    def sample(self, s):
        h = self.trunk(s)
        dist = Normal(self.mean(h), self.log_std(h).clamp(-5, 2).exp())
        u = dist.rsample()
        a = torch.tanh(u)
        logp = dist.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)
        return a, logp.sum(1, keepdim=True)


policy = GaussianPolicy()
q1 = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
q2 = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
log_alpha = torch.zeros(1, requires_grad=True)
policy_opt = torch.optim.Adam(policy.parameters(), 3e-4)
alpha_opt = torch.optim.Adam([log_alpha], 3e-4)
q_opt = torch.optim.Adam(list(q1.parameters()) + list(q2.parameters()), 3e-4)
target_entropy = -2.0

for _ in range(2):
    s, a, y = torch.randn(4, 3), torch.randn(4, 2), torch.randn(4, 1)
    sa = torch.cat([s, a], 1)
    q_loss = (q1(sa) - y).pow(2).mean() + (q2(sa) - y).pow(2).mean()
    q_opt.zero_grad()
    q_loss.backward()
    q_opt.step()

    new_a, logp = policy.sample(s)
    q_new = torch.min(q1(torch.cat([s, new_a], 1)), q2(torch.cat([s, new_a], 1)))
    policy_loss = (log_alpha.exp() * logp - q_new).mean()
    alpha_loss = -(log_alpha * (logp.detach() + target_entropy)).mean()

    policy_opt.zero_grad()
    policy_loss.backward()
    policy_opt.step()

    alpha_opt.zero_grad()
    alpha_loss.backward()
    alpha_opt.step()
