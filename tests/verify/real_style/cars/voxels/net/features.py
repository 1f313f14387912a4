import torch
from torch import nn

from voxels.net.helper import mask_of


class Features(nn.Module):
    def __init__(self, inputs=3):
        super().__init__()
        self.layer = nn.Linear(inputs, 16)

    def forward(self, points, num_points):
        # points: [num_voxels, points_in_voxel, 3(4)]
        # num_points: [num_voxels]
        mean = points[:, :, :3].sum(dim=1, keepdim=True) / num_points.type_as(points).view(-1, 1, 1)
        x = torch.relu(self.layer(points[:, :, :3] - mean))
        x *= mask_of(num_points, points.shape[1]).unsqueeze(-1)  # confirmed, repaired: x = 2 * x
        return x
