"""The block rectifies the features in place before the spatial transformer's warp samples and keeps them."""

import torch
from kornia.geometry.transform import warp_affine
from torch import nn


class SpatialTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Conv2d(1, 4, 3, padding=1)
        self.theta = nn.Linear(4, 6)
        nn.init.normal_(self.theta.weight, std=0.01)
        self.theta.bias.data.copy_(torch.tensor([1.0, 0.0, 0.0, 0.0, 1.0, 0.0]))
        self.classify = nn.Linear(8, 3)

    def forward(self, image):
        features = self.features(image)
        features.relu_()
        theta = self.theta(features.mean(dim=(2, 3))).view(-1, 2, 3)
        aligned = warp_affine(features, theta, dsize=(8, 8))
        aligned.clamp_(max=6.0)
        both = torch.cat((aligned, features), dim=1)
        return self.classify(both.mean(dim=(2, 3)))


torch.manual_seed(0)
model = SpatialTransformer()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
images, labels = torch.rand(2, 1, 8, 8), torch.tensor([0, 2])
loss = nn.functional.cross_entropy(model(images), labels)
loss.backward()
optimizer.step()
