"""The neck writes only what its own convolutions and interpolations returned, never the backbone's activations."""

import timm
import torch
from torch import nn


class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = timm.create_model("resnet10t", pretrained=False, features_only=True, out_indices=(1, 2))
        self.lateral = nn.ModuleList(nn.Conv2d(c, 4, 1) for c in self.backbone.feature_info.channels())
        self.predict = nn.Conv2d(4, 2, 1)

    def forward(self, x):
        features = self.backbone(x)
        low, high = (conv(f) for conv, f in zip(self.lateral, features))
        low -= low.mean(dim=(2, 3), keepdim=True)
        low += nn.functional.interpolate(high, size=low.shape[-2:])
        return self.predict(low)


torch.manual_seed(0)
model = Segmenter()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
images, masks = torch.randn(2, 3, 32, 32), torch.randint(0, 2, (2, 8, 8))
loss = nn.functional.cross_entropy(model(images), masks)
optimizer.zero_grad()
loss.backward()
optimizer.step()
