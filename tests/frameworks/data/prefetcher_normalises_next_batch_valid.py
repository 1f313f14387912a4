"""The prefetcher normalises the next batch in place while the current one is kept by the model: they are
different tensors."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Prefetcher:
    def __init__(self, loader):
        self.loader = iter(loader)
        self.mean = torch.tensor([0.5, 0.4, 0.3]).view(1, 3, 1, 1)
        self.std = torch.tensor([0.2, 0.2, 0.2]).view(1, 3, 1, 1)
        self.preload()

    def preload(self):
        try:
            self.next_input, self.next_target = next(self.loader)
        except StopIteration:
            self.next_input = self.next_target = None
            return
        self.next_input = self.next_input.float()
        self.next_input = self.next_input.sub_(self.mean).div_(self.std)

    def next(self):
        images, target = self.next_input, self.next_target
        self.preload()
        return images, target


torch.manual_seed(0)
dataset = TensorDataset(torch.rand(6, 3, 4, 4), torch.randint(0, 2, (6,)))
prefetcher = Prefetcher(DataLoader(dataset, batch_size=2, shuffle=True))
model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.Flatten(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
images, target = prefetcher.next()
while images is not None:
    output = model(images)
    upcoming = prefetcher.next()
    loss = nn.functional.cross_entropy(output, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    images, target = upcoming
