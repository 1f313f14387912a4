import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 8), nn.ReLU(inplace=True), nn.Linear(8, o))


class SAC:
    def __init__(self):
        self.pi, self.q1, self.q2 = mlp(3, 4), mlp(5, 1), mlp(5, 1)
        self.q1_t, self.q2_t = copy.deepcopy(self.q1), copy.deepcopy(self.q2)
        for p in [*self.q1_t.parameters(), *self.q2_t.parameters()]:
            p.requires_grad = False
        self.log_alpha = torch.tensor(0.0, requires_grad=True)
        self.pi_opt = torch.optim.Adam(self.pi.parameters())
        self.q_opt = torch.optim.Adam([*self.q1.parameters(), *self.q2.parameters()])
        self.a_opt = torch.optim.Adam([self.log_alpha])

    def act(self, s):
        mu, log_std = self.pi(s).chunk(2, dim=-1)
        log_std = torch.clamp(log_std, -5, 2)
        u = mu + log_std.exp() * torch.randn_like(mu)
        logp = (-0.5 * ((u - mu) / log_std.exp()) ** 2 - log_std).sum(-1, keepdim=True)
        logp -= (2 * (0.693 - u - F.softplus(-2 * u))).sum(-1, keepdim=True)
        return torch.tanh(u), logp

    def update(self, s, a, r, s2):
        alpha = self.log_alpha.exp().detach()
        with torch.no_grad():
            a2, lp2 = self.act(s2)
            x2 = torch.cat([s2, a2], 1)
            y = r + 0.99 * (torch.min(self.q1_t(x2), self.q2_t(x2)) - alpha * lp2)
        x = torch.cat([s, a], 1)
        q_loss = F.mse_loss(self.q1(x), y) + F.mse_loss(self.q2(x), y)
        self.q_opt.zero_grad()
        q_loss.backward()
        self.q_opt.step()
        for p in [*self.q1.parameters(), *self.q2.parameters()]:
            p.requires_grad_(False)
        an, lp = self.act(s)
        xn = torch.cat([s, an], 1)
        pi_loss = (alpha * lp - torch.min(self.q1(xn), self.q2(xn))).mean()
        self.pi_opt.zero_grad()
        pi_loss.backward()
        self.pi_opt.step()
        for p in [*self.q1.parameters(), *self.q2.parameters()]:
            p.requires_grad_(True)
        a_loss = -(self.log_alpha * (lp - 2).detach()).mean()
        self.a_opt.zero_grad()
        a_loss.backward()
        self.a_opt.step()
        with torch.no_grad():
            for net, tgt in ((self.q1, self.q1_t), (self.q2, self.q2_t)):
                for p, t in zip(net.parameters(), tgt.parameters()):
                    t.data.mul_(0.995)
                    t.data.add_(0.005 * p.data)


agent = SAC()
for _ in range(2):
    agent.update(torch.randn(4, 3), torch.rand(4, 2), torch.randn(4, 1), torch.randn(4, 3))
