import torch
from torch import nn


def attach_optimizers(model, lr):
    table = {p: torch.optim.SGD([p], lr=lr) for p in model.parameters()}

    def hook(param):
        table[param].step()  # error: IP102
        table[param].zero_grad()

    for p in model.parameters():
        p.register_post_accumulate_grad_hook(hook)
    return table


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
        self.proj = nn.Linear(4, 4)

    def forward(self, x):
        return self.proj(self.enc(x))


net = Siamese()
attach_optimizers(net, 0.1)
for _ in range(2):
    a, b = net(torch.randn(4, 3)), net(torch.randn(4, 3))
    pos = (a - b).pow(2).mean()
    var = torch.relu(1 - a.std(0)).mean()
    pos.backward(retain_graph=True)
    var.backward()
