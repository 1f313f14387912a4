"""A full backward hook on a convolution, followed by an in-place ReLU."""

import torch
from torch import nn

gradients = []


class CamNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, padding=1)
        self.relu = nn.ReLU(inplace=True)
        self.head = nn.Linear(2, 2)

    def forward(self, x):
        x = self.relu(self.conv(x))  # error: IP303
        return self.head(x.mean(dim=(2, 3)))


model = CamNet()
model.conv.register_full_backward_hook(lambda module, grad_in, grad_out: gradients.append(grad_out[0]))
model(torch.randn(1, 1, 4, 4))[0, 1].backward()
