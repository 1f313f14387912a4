"""The EMA swaps its weights into the model with copy_ between forward and backward."""

import torch
import torch.nn as nn


class EMA:
    def __init__(self, model, decay):
        self.model = model
        self.decay = decay
        self.shadow = {n: p.data.clone() for n, p in model.named_parameters() if p.requires_grad}
        self.backup = {}

    def update(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                self.shadow[name].mul_(self.decay).add_(param.data, alpha=1 - self.decay)

    @torch.no_grad()
    def apply_shadow(self):
        for name, param in self.model.named_parameters():
            self.backup[name] = param.clone()
            param.copy_(self.shadow[name])  # error: IP101


model = nn.Sequential(nn.Linear(3, 3), nn.ELU(), nn.Linear(3, 1))
ema = EMA(model, 0.99)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.randn(4, 3)).mean()
ema.update()
opt.zero_grad()
ema.apply_shadow()
loss.backward()
opt.step()
