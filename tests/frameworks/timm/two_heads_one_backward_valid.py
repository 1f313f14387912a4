"""Both losses are walked in one backward pass before the two optimizers step."""

import timm
import torch
from timm.loss import LabelSmoothingCrossEntropy
from timm.optim import create_optimizer_v2
from timm.utils import dispatch_clip_grad
from torch import nn

torch.manual_seed(0)
backbone = timm.create_model("resnet10t", pretrained=False, num_classes=0, channels=(8, 8, 16, 16))
classifier = nn.Linear(backbone.num_features, 3)
rotation = nn.Linear(backbone.num_features, 4)
backbone_optimizer = create_optimizer_v2(backbone, opt="lamb", lr=1e-3)
head_optimizer = create_optimizer_v2(nn.ModuleList([classifier, rotation]), opt="sgd", lr=0.01, momentum=0.9)
criterion = LabelSmoothingCrossEntropy(smoothing=0.1)

images = torch.randn(2, 3, 32, 32)
labels, turns = torch.tensor([0, 2]), torch.tensor([1, 3])
embedding = backbone(images)
loss = criterion(classifier(embedding), labels)
loss += nn.functional.cross_entropy(rotation(embedding), turns)

backbone_optimizer.zero_grad()
head_optimizer.zero_grad()
loss.backward()
dispatch_clip_grad(backbone.parameters(), value=1.0, mode="norm")
backbone_optimizer.step()
head_optimizer.step()
