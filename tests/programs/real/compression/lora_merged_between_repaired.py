import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r=2, alpha=4):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(r, base.in_features) * 0.01)
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        self.scaling, self.merged = alpha / r, False

    def merge(self):
        if not self.merged:
            self.base.weight.data += (self.B @ self.A) * self.scaling
            self.merged = True

    def unmerge(self):
        if self.merged:
            self.base.weight.data -= (self.B @ self.A) * self.scaling
            self.merged = False

    def forward(self, x):
        out = self.base(x)
        return out if self.merged else out + (x @ self.A.t() @ self.B.t()) * self.scaling


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp, self.lora, self.out = nn.Linear(3, 4), LoRALinear(nn.Linear(4, 4)), nn.Linear(4, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.lora(torch.relu(self.inp(x)))))


net = Net()
opt = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], lr=1e-2)
for step in range(2):
    loss = net(torch.randn(5, 3)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.lora.merge()
    with torch.no_grad():
        sample = net(torch.randn(1, 3))
    net.lora.unmerge()
