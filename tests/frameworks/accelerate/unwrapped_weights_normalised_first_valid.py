"""The prototypes are normalised before the forward pass, so no graph has kept them yet."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader


class SwAV(nn.Module):
    def __init__(self, dim=6, proj=4, n_prototypes=5):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(dim, 8), nn.ReLU(inplace=True), nn.Linear(8, proj))
        self.prototypes = nn.Linear(proj, n_prototypes, bias=False)

    def forward(self, x):
        return self.prototypes(F.normalize(self.backbone(x), dim=1))


accelerator = Accelerator()
model = SwAV()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model, optimizer, loader = accelerator.prepare(model, optimizer, DataLoader(torch.randn(8, 6), batch_size=4))

for x in loader:
    with torch.no_grad():
        w = accelerator.unwrap_model(model).prototypes.weight
        w.copy_(F.normalize(w, dim=1))
    scores = model(x + 0.1 * torch.randn_like(x))
    with torch.no_grad():
        targets = (model(x) / 0.05).softmax(dim=1)
    loss = F.cross_entropy(scores / 0.1, targets)
    optimizer.zero_grad()
    accelerator.backward(loss)
    optimizer.step()
