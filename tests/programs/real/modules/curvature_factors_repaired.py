import torch
from torch import nn


class KFAC:
    def __init__(self, net, lr=0.01, decay=0.9):
        self.net, self.lr, self.decay = net, lr, decay
        self.A, self.G = {}, {}
        for m in net.modules():
            if isinstance(m, nn.Linear):
                m.register_forward_pre_hook(self._save_input)
                m.register_full_backward_hook(self._save_grad)

    def _ema(self, table, key, value):
        if key not in table:
            table[key] = value.clone()
        table[key].mul_(self.decay).add_(value, alpha=1 - self.decay)

    @torch.no_grad()
    def _save_input(self, m, inputs):
        a = inputs[0]
        self._ema(self.A, m, a.T @ a / len(a))

    @torch.no_grad()
    def _save_grad(self, m, gin, gout):
        g = gout[0]
        self._ema(self.G, m, g.T @ g * len(g))

    @torch.no_grad()
    def step(self):
        for m in self.A:
            v = torch.linalg.solve(self.G[m] + torch.eye(len(self.G[m])), m.weight.grad)
            v = torch.linalg.solve(self.A[m] + torch.eye(len(self.A[m])), v.T).T
            m.weight -= self.lr * v
            m.bias -= self.lr * m.bias.grad


net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
opt = KFAC(net)
x = torch.randn(6, 3)
out = net(x)
for it in range(2):
    net.zero_grad()
    out = net(x)
    loss = nn.functional.cross_entropy(out, torch.randint(2, (6,)))
    loss.backward(retain_graph=True)
    opt.step()
