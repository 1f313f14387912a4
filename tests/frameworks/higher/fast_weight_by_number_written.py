"""higher.monkeypatch and get_diff_optim by hand; fast weights written in place."""

import higher
import torch
from torch import nn

model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
fmodel = higher.monkeypatch(model, copy_initial_weights=True)
diffopt = higher.get_diff_optim(torch.optim.SGD(model.parameters(), lr=0.1), model.parameters(), fmodel=fmodel)
x = torch.randn(4, 3)
for _ in range(2):
    diffopt.step(fmodel(x).pow(2).mean())
out = fmodel(x)
loss = out.exp().mean()
with torch.no_grad():
    fmodel.fast_params[2].mul_(0.5)  # error: IP101
loss.backward()
