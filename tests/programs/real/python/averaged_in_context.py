import torch
from torch import nn


class Averaged:
    def __init__(self, model, shadow):
        self.model, self.shadow = model, shadow

    def __enter__(self):
        self.backup = {n: p.detach().clone() for n, p in self.model.named_parameters()}
        with torch.no_grad():
            for n, p in self.model.named_parameters():
                p.copy_(self.shadow[n])  # error: IP101
        return self.model

    def __exit__(self, *exc):
        with torch.no_grad():
            for n, p in self.model.named_parameters():
                p.copy_(self.backup[n])  # error: IP101


net = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid(), nn.Linear(4, 1))
shadow = {n: p.detach().clone() for n, p in net.named_parameters()}
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(5, 3)
loss = net(x).mean()
with Averaged(net, shadow) as m, torch.no_grad():
    print(m(x).mean().item())
opt.zero_grad()
loss.backward()
opt.step()
