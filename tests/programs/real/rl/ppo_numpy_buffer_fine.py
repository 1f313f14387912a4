import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Normal


class RolloutBuffer:
    def __init__(self, size, obs, act):
        self.obs = np.zeros((size, obs), dtype=np.float32)
        self.act = np.zeros((size, act), dtype=np.float32)
        self.logp, self.rew, self.val = (np.zeros(size, dtype=np.float32) for _ in range(3))
        self.ptr = 0

    def store(self, o, a, logp, r, v):
        i = self.ptr
        self.obs[i], self.act[i], self.logp[i], self.rew[i], self.val[i] = o, a, logp, r, v
        self.ptr += 1

    def get(self, gamma=0.99):
        ret, running = np.zeros_like(self.rew), 0.0
        for i in reversed(range(self.ptr)):
            running = self.rew[i] + gamma * running
            ret[i] = running
        adv = ret - self.val
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        self.ptr = 0
        data = dict(obs=self.obs, act=self.act, logp=self.logp, adv=adv, ret=ret)
        return {k: torch.as_tensor(v, dtype=torch.float32) for k, v in data.items()}


class AC(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu, self.v = nn.Linear(3, 2), nn.Linear(3, 1)
        self.log_std = nn.Parameter(-0.5 * torch.ones(2))

    def step(self, o):
        with torch.no_grad():
            pi = Normal(self.mu(o), self.log_std.exp())
            a = pi.sample()
            return a.numpy(), pi.log_prob(a).sum(-1).numpy(), self.v(o).squeeze(-1).numpy()


ac, buf = AC(), RolloutBuffer(6, 3, 2)
opt = torch.optim.Adam(ac.parameters(), lr=3e-4)
for epoch in range(2):
    for t in range(6):
        o = torch.randn(3)
        a, logp, v = ac.step(o)
        buf.store(o.numpy(), a, logp, 1.0, v)
    data = buf.get()
    for _ in range(3):
        pi = Normal(ac.mu(data["obs"]), ac.log_std.exp())
        logp = pi.log_prob(data["act"]).sum(-1)
        ratio = torch.exp(logp - data["logp"])
        loss_pi = -torch.min(ratio * data["adv"], ratio.clamp(0.8, 1.2) * data["adv"]).mean()
        loss_v = (ac.v(data["obs"]).squeeze(-1) - data["ret"]).pow(2).mean()
        opt.zero_grad()
        (loss_pi + 0.5 * loss_v).backward()
        opt.step()
