"""A backbone with features_only returns the very activations its next stage has kept, and the neck shifts them
in place."""

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
        for feature in features:
            feature -= feature.mean(dim=(2, 3), keepdim=True)  # error: IP101
        low, high = (conv(f) for conv, f in zip(self.lateral, features))
        low = low + nn.functional.interpolate(high, size=low.shape[-2:])
        return self.predict(low)


torch.manual_seed(0)
model = Segmenter()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
images, masks = torch.randn(2, 3, 32, 32), torch.randint(0, 2, (2, 8, 8))
loss = nn.functional.cross_entropy(model(images), masks)
optimizer.zero_grad()
loss.backward()
optimizer.step()
