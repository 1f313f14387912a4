"""The extractor returns a batch norm's result that the block's in-place ReLU writes afterwards; nothing keeps
it, so torch is content."""

import torch
from torch import nn
from torchvision.models import resnet18
from torchvision.models.feature_extraction import create_feature_extractor

torch.manual_seed(0)
model = resnet18(weights=None)
extractor = create_feature_extractor(model, return_nodes={"bn1": "stem", "layer2": "mid"})
head = nn.Linear(128, 3)
optimizer = torch.optim.SGD([*extractor.parameters(), *head.parameters()], lr=0.01, momentum=0.9)

images, labels = torch.randn(2, 3, 16, 16), torch.tensor([0, 2])
features = extractor(images)
logits = head(features["mid"].mean(dim=(2, 3)))
loss = nn.functional.cross_entropy(logits, labels) + 1e-3 * features["stem"].abs().mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
