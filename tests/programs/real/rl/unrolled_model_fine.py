import torch
from torch import nn


class MuZero(nn.Module):
    def __init__(self, obs=3, hid=4, actions=2):
        super().__init__()
        self.repr_, self.dyn = nn.Linear(obs, hid), nn.Linear(hid + actions, hid)
        self.reward, self.value, self.policy = nn.Linear(hid, 1), nn.Linear(hid, 1), nn.Linear(hid, actions)
        self.actions = actions

    @staticmethod
    def rescale(h):
        lo, hi = h.min(-1, keepdim=True)[0], h.max(-1, keepdim=True)[0]
        scale = hi - lo
        scale[scale < 1e-5] += 1e-5
        return (h - lo) / scale

    def initial(self, obs):
        h = self.rescale(self.repr_(obs))
        return h, self.policy(h), self.value(h)

    def recurrent(self, h, action):
        onehot = torch.zeros(h.shape[0], self.actions).scatter_(1, action[:, None], 1.0)
        h = self.rescale(self.dyn(torch.cat([h, onehot], 1)))
        return h, self.reward(h), self.policy(h), self.value(h)


net = MuZero()
opt = torch.optim.Adam(net.parameters())
for _ in range(2):
    h, p, v = net.initial(torch.randn(4, 3))
    predictions = [(v, torch.zeros(4, 1), p)]
    for k in range(3):
        h, r, p, v = net.recurrent(h, torch.randint(2, (4,)))
        h.register_hook(lambda grad: grad * 0.5)
        predictions.append((v, r, p))
    loss = 0
    for i, (v, r, p) in enumerate(predictions):
        step = (v - 1).pow(2).squeeze(-1) + r.pow(2).squeeze(-1) - p.log_softmax(-1)[:, 0]
        if i > 0:
            step.register_hook(lambda grad: grad / 3)
        loss += step
    loss = loss.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
