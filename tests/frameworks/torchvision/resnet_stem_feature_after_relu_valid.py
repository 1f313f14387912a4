"""The edge branch reads the stem after its in-place ReLU, and nothing writes that tensor any more."""

import torch
from torch import nn
from torchvision.models import resnet18


class EdgeNet(nn.Module):
    def __init__(self):
        super().__init__()
        backbone = resnet18(weights=None)
        self.conv1, self.bn1, self.relu = backbone.conv1, backbone.bn1, backbone.relu
        self.layer1 = backbone.layer1
        self.edge = nn.Conv2d(64, 1, 1)
        self.classifier = nn.Linear(64, 2)

    def forward(self, x):
        x = self.relu(self.bn1(self.conv1(x)))
        gate = torch.sigmoid(self.edge(x))
        x = self.layer1(x * gate)
        return self.classifier(x.mean(dim=(2, 3))), gate


torch.manual_seed(0)
model = EdgeNet()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
images, labels = torch.randn(2, 3, 16, 16), torch.tensor([0, 1])
logits, gate = model(images)
loss = nn.functional.cross_entropy(logits, labels) + gate.mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
