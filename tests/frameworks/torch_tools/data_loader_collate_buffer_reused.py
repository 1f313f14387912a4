"""`collate_fn` refills one buffer for every batch while the losses of earlier batches, whose convolution has kept it, still wait for backward."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset, random_split

dataset = TensorDataset(torch.randn(8, 1, 4), torch.randn(8, 1))
train, validation = random_split(dataset=dataset, lengths=[6, 2])
buffer = torch.empty(2, 1, 4)


def collate(samples):
    torch.stack([x for x, _ in samples], dim=0, out=buffer)  # error: IP101
    return buffer, torch.stack([y for _, y in samples])


net = nn.Sequential(nn.Conv1d(1, 2, 3), nn.Flatten(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(params=net.parameters(), lr=0.1)
losses = []
for x, y in DataLoader(dataset=Subset(train, range(4)), batch_size=2, collate_fn=collate):
    losses.append(nn.functional.mse_loss(input=net(x), target=y))
optimizer.zero_grad()
torch.stack(tensors=losses).mean().backward()
optimizer.step()
