import torch
from torch import nn


class BlurKernel(nn.Module):
    """Moves the rays of one picture, each by what it has learned."""

    def __init__(self, width, field=None, motions=2):
        super().__init__()
        self.hidden = nn.Linear(width, width)
        self.rotations = nn.Linear(width, 3 * motions)
        self.motions = motions
        self.field = field

    def move_all(self, rays, rotations):
        rotations = rotations.reshape(rotations.shape[0], 3, self.motions)
        return torch.stack([self.field.move(rays, rotations[:, :, i]) for i in range(self.motions)])

    def forward(self, rays, code):
        hidden = torch.relu(self.hidden(code))
        return self.move_all(rays, self.rotations(hidden))


class Watched(nn.Module):
    def __init__(self, width, recorder):
        super().__init__()
        self.layer = nn.Linear(width, 3)
        self.recorder = recorder

    def forward(self, x):
        return self.recorder.note(self.layer(x).sigmoid())
