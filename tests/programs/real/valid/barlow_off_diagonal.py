import torch
from torch import nn


def off_diagonal(x):
    n, m = x.shape
    return x.flatten()[:-1].view(n - 1, n + 1)[:, 1:].flatten()


class BarlowTwins(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(inplace=True))
        self.projector = nn.Sequential(
            nn.Linear(6, 3, bias=False), nn.BatchNorm1d(3), nn.ReLU(inplace=True), nn.Linear(3, 3)
        )
        self.bn = nn.BatchNorm1d(3, affine=False)

    def forward(self, y1, y2):
        z1 = self.projector(self.backbone(y1))
        z2 = self.projector(self.backbone(y2))
        c = self.bn(z1).T @ self.bn(z2)
        c.div_(y1.shape[0])
        on_diag = torch.diagonal(c).add(-1).pow_(2).sum()
        off_diag = off_diagonal(c).pow(2).sum()
        return on_diag + 0.005 * off_diag


model = BarlowTwins()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = model(torch.randn(4, 4), torch.randn(4, 4))
    loss.backward()
    optimizer.step()
