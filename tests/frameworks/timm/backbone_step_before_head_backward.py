"""The backbone's optimizer steps while the auxiliary loss, which went through the same backbone, is still to be
walked."""

import timm
import torch
from timm.optim import create_optimizer_v2
from torch import nn

torch.manual_seed(0)
backbone = timm.create_model("resnet10t", pretrained=False, num_classes=0, channels=(8, 8, 16, 16))
classifier = nn.Linear(backbone.num_features, 3)
rotation = nn.Linear(backbone.num_features, 4)
backbone_optimizer = create_optimizer_v2(backbone, opt="lamb", lr=1e-3)
head_optimizer = create_optimizer_v2(nn.ModuleList([classifier, rotation]), opt="sgd", lr=0.01, momentum=0.9)

images = torch.randn(2, 3, 32, 32)
labels, turns = torch.tensor([0, 2]), torch.tensor([1, 3])
embedding = backbone(images)
class_loss = nn.functional.cross_entropy(classifier(embedding), labels)
turn_loss = nn.functional.cross_entropy(rotation(embedding), turns)

backbone_optimizer.zero_grad()
head_optimizer.zero_grad()
class_loss.backward(retain_graph=True)
backbone_optimizer.step()  # error: IP102
turn_loss.backward()
head_optimizer.step()
