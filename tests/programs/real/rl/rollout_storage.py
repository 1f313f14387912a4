import torch
from torch import nn


class RolloutStorage:
    def __init__(self, steps, procs, obs, hid):
        self.obs = torch.zeros(steps + 1, procs, obs)
        self.hxs = torch.zeros(steps + 1, procs, hid)
        self.masks = torch.ones(steps + 1, procs, 1)
        self.values = torch.zeros(steps + 1, procs, 1)
        self.step, self.num_steps = 0, steps

    def insert(self, obs, hxs, value, mask):
        self.obs[self.step + 1].copy_(obs)  # error: IP101
        self.hxs[self.step + 1].copy_(hxs)
        self.values[self.step].copy_(value)
        self.masks[self.step + 1].copy_(mask)  # error: IP101
        self.step = (self.step + 1) % self.num_steps

    def after_update(self):
        self.obs[0].copy_(self.obs[-1])
        self.hxs[0].copy_(self.hxs[-1])


class Policy(nn.Module):
    def __init__(self, obs, hid):
        super().__init__()
        self.gru, self.critic = nn.GRUCell(obs, hid), nn.Linear(hid, 1)

    def forward(self, obs, hxs, mask):
        hxs = self.gru(obs, hxs * mask)
        return self.critic(hxs), hxs


storage, policy = RolloutStorage(3, 2, 3, 4), Policy(3, 4)
opt = torch.optim.RMSprop(policy.parameters(), lr=7e-4, eps=1e-5, alpha=0.99)
for update in range(2):
    for step in range(storage.num_steps):
        value, hxs = policy(storage.obs[step], storage.hxs[step], storage.masks[step])
        storage.insert(torch.randn(2, 3), hxs, value, torch.ones(2, 1))
    loss = (storage.values[:-1] - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()  # error: IP103
    opt.step()
    storage.after_update()
