"""A hook squares the batch norm's result inside the ResNet, whose own in-place ReLU then overwrites what the
square has kept."""

import torch
from torch import nn
from torchvision.models.resnet import BasicBlock, ResNet

torch.manual_seed(0)
model = ResNet(BasicBlock, [1, 1, 1, 1], num_classes=3)
penalties = []
model.layer4[0].bn1.register_forward_hook(lambda module, args, out: penalties.append(out.pow(2).mean()))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

images, labels = torch.randn(2, 3, 32, 32), torch.tensor([0, 2])
logits = model(images)  # error: IP101
loss = nn.functional.cross_entropy(logits, labels) + 1e-4 * sum(penalties)
optimizer.zero_grad()
loss.backward()
optimizer.step()
