"""SWA averages copies of the weights after each step and refreshes batch norm's statistics at the end, so no waiting graph sees a write."""

import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn

model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
swa_model = AveragedModel(model=model)
optimizer = torch.optim.SGD(params=model.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer=optimizer, T_max=4)
swa_scheduler = SWALR(optimizer=optimizer, swa_lr=0.05, anneal_epochs=1)
loader = [torch.randn(4, 4) for _ in range(2)]

for epoch in range(4):
    for batch in loader:
        loss = model(batch).square().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    if epoch > 1:
        swa_model.update_parameters(model)
        swa_scheduler.step()
    else:
        scheduler.step()

update_bn(loader=loader, model=swa_model)
with torch.no_grad():
    swa_model(loader[0]).clamp_(min=0)
