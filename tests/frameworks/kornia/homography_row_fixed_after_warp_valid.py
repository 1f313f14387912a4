"""The last entry of the matrix is set in place after the warp, which keeps only what it computed from the
matrix."""

import torch
from kornia.geometry.transform import warp_perspective
from torch import nn


class HomographyNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.regress = nn.Sequential(nn.Flatten(), nn.Linear(64, 9))
        self.register_buffer("identity", torch.eye(3))

    def forward(self, image):
        offset = self.regress(image).view(-1, 3, 3)
        return self.identity + 0.01 * offset


torch.manual_seed(0)
model = HomographyNet()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
source, target = torch.rand(2, 1, 8, 8), torch.rand(2, 1, 8, 8)
matrix = model(source)
warped = warp_perspective(source, matrix, dsize=(8, 8))
matrix[:, 2, 2] = 1.0
loss = nn.functional.l1_loss(warped, target) + matrix.square().mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
