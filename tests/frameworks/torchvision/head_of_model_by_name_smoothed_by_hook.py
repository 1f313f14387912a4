"""models.get_model by name; the classifier is swapped, a pre hook of it writes its input."""

import torch
from torch import nn
from torchvision.models import get_model

net = get_model("mobilenet_v3_small", weights=None, num_classes=4)
net.classifier = nn.Sequential(nn.Linear(576, 8), nn.Hardswish(inplace=True), nn.Linear(8, 2), nn.Softmax(dim=-1))


def smooth(module, inputs, output):
    output.mul_(0.9).add_(0.05)  # error: IP101


net.classifier.register_forward_hook(smooth)
net(torch.randn(2, 3, 32, 32)).pow(2).sum().backward()
