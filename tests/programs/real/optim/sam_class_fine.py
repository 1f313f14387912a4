import torch
from torch import nn


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base = base(self.param_groups, **kwargs)

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        norm = torch.norm(torch.stack([p.grad.norm(2) for g in self.param_groups for p in g["params"]]), 2)
        for group in self.param_groups:
            scale = group["rho"] / (norm + 1e-12)
            for p in group["params"]:
                if p.grad is None:
                    continue
                self.state[p]["old_p"] = p.data.clone()
                p.add_(p.grad * scale)
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for group in self.param_groups:
            for p in group["params"]:
                p.data = self.state[p]["old_p"]
        self.base.step()
        if zero_grad:
            self.zero_grad()


model = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 2))
opt = SAM(model.parameters(), torch.optim.SGD, lr=0.1)
for _ in range(2):
    x, y = torch.randn(5, 3), torch.randint(0, 2, (5,))
    nn.functional.cross_entropy(model(x), y).backward()
    opt.first_step(zero_grad=True)
    nn.functional.cross_entropy(model(x), y).backward()
    opt.second_step(zero_grad=True)
