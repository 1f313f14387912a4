"""The layer getter returns the very tensors the next layer has kept, and the decoder adds the deep features
onto one in place."""

from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn
from torchvision.models._utils import IntermediateLayerGetter
from torchvision.ops import Conv2dNormActivation

torch.manual_seed(0)
encoder = nn.Sequential(
    OrderedDict(
        stem=Conv2dNormActivation(3, 8, stride=2),
        stage1=Conv2dNormActivation(8, 8),
        stage2=Conv2dNormActivation(8, 8, stride=2),
        head=nn.Conv2d(8, 10, 1),
    )
)
backbone = IntermediateLayerGetter(encoder, return_layers={"stage1": "skip", "stage2": "out"})
decoder = nn.Conv2d(8, 2, 1)
optimizer = torch.optim.AdamW([*backbone.parameters(), *decoder.parameters()])

for _ in range(2):
    images, masks = torch.randn(2, 3, 16, 16), torch.randint(0, 2, (2, 8, 8))
    features = backbone(images)
    fused = features["skip"]
    fused += F.interpolate(features["out"], scale_factor=2.0)  # error: IP101
    loss = F.cross_entropy(decoder(fused), masks)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
