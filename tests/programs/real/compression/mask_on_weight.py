import torch
import torch.nn as nn
import torch.nn.functional as F


class MaskedLinear(nn.Linear):
    def __init__(self, i, o, sparsity=0.5):
        super().__init__(i, o)
        self.register_buffer("mask", torch.ones_like(self.weight))
        self.sparsity = sparsity

    def prune(self):
        k = int(self.weight.numel() * self.sparsity)
        threshold = self.weight.detach().abs().flatten().kthvalue(k).values
        self.mask = (self.weight.detach().abs() > threshold).float()

    def forward(self, x):
        self.weight.mul_(self.mask)  # error: IP201
        return F.linear(x, self.weight, self.bias)


net = nn.Sequential(MaskedLinear(4, 8), nn.ReLU(), MaskedLinear(8, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for layer in net:
        if isinstance(layer, MaskedLinear):
            layer.prune()
    loss = F.cross_entropy(net(torch.randn(5, 4)), torch.randint(0, 2, (5,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
