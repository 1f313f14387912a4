"""The crop is a view of the batch and the transform writes through it, but no operation has kept the batch at
that time."""

import torch
from torch import nn
from torchvision.ops import Conv2dNormActivation, SqueezeExcitation, StochasticDepth
from torchvision.transforms import v2

torch.manual_seed(0)
transform = v2.Compose(
    [
        v2.RandomHorizontalFlip(p=0.5),
        v2.CenterCrop(8),
        v2.ToDtype(torch.float32, scale=True),
        v2.Normalize(mean=[0.5, 0.5, 0.5], std=[0.25, 0.25, 0.25], inplace=True),
        v2.RandomErasing(p=1.0, inplace=True),
    ]
)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Conv2dNormActivation(3, 8, activation_layer=nn.SiLU)
        self.block = nn.Sequential(Conv2dNormActivation(8, 8), SqueezeExcitation(8, 2))
        self.drop_path = StochasticDepth(0.2, mode="row")
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        x = self.stem(x)
        x = x + self.drop_path(self.block(x))
        return self.fc(x.mean(dim=(2, 3)))


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    images, labels = torch.rand(2, 3, 10, 10), torch.tensor([0, 1])
    loss = nn.functional.cross_entropy(model(transform(images)), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
