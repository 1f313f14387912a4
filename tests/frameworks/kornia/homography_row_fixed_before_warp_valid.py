"""The last entry of the predicted matrix is set in place before the warp reads and keeps the matrix."""

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
        matrix = self.identity + 0.01 * offset
        matrix[:, 2, 2] = 1.0
        return matrix


torch.manual_seed(0)
model = HomographyNet()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(2):
    source, target = torch.rand(2, 1, 8, 8), torch.rand(2, 1, 8, 8)
    matrix = model(source)
    warped = warp_perspective(source, matrix, dsize=(8, 8))
    loss = nn.functional.l1_loss(warped, target) + matrix.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
