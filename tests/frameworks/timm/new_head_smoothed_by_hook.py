"""A head of the user's in place of the network's own; a hook writes what its softmax has saved."""

import timm
import torch
from torch import nn


def smooth(module, args, output):
    output.mul_(0.9)  # error: IP101


net = timm.create_model("resnet10t", num_classes=2)
net.fc = nn.Sequential(nn.Linear(512, 4), nn.Softmax(dim=-1))
net.fc.register_forward_hook(smooth)
net(torch.randn(2, 3, 32, 32)).pow(2).sum().backward()
