"""The clip is not in place."""

import torch
import torch.nn as nn


class SEModule(nn.Module):
    def __init__(self, channels, reduction=2):
        super().__init__()
        self.avg_pool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(channels, channels // reduction, kernel_size=1)
        self.relu = nn.ReLU(inplace=True)
        self.fc2 = nn.Conv2d(channels // reduction, channels, kernel_size=1)
        self.sigmoid = nn.Sigmoid()
        self.clip = nn.Hardtanh(0.1, 0.9)

    def forward(self, x):
        module_input = x
        x = self.avg_pool(x)
        x = self.relu(self.fc1(x))
        x = self.sigmoid(self.fc2(x))
        x = self.clip(x)
        return module_input * x


se = SEModule(4)
se(torch.randn(2, 4, 6, 6)).mean().backward()
