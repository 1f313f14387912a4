import torch
from torch import nn


class EMA:
    def __init__(self, params, decay):
        self.params, self.decay = list(params), decay
        self.shadow = [p.detach().clone() for p in self.params]

    @torch.no_grad()
    def update(self):
        torch._foreach_mul_(self.shadow, self.decay)
        torch._foreach_add_(self.shadow, self.params, alpha=1 - self.decay)

    @torch.no_grad()
    def store(self):
        torch._foreach_copy_(self.params, self.shadow)  # error: IP101


net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
ema = EMA(net.parameters(), 0.9)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(2, 5, 3):
    loss = net(x).mean()
    ema.store()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update()
