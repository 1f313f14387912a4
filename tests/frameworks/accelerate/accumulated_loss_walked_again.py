"""The loss of the whole accumulation is summed with its graph and walked at every batch, the second time through a freed graph."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator(gradient_accumulation_steps=2)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(inplace=True), nn.Dropout(0.1), nn.Linear(16, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
train_loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randint(0, 3, (8,))), batch_size=4)
model, optimizer, train_loader = accelerator.prepare(model, optimizer, train_loader)

total_loss = 0
for step, (inputs, labels) in enumerate(train_loader):
    with accelerator.accumulate(model):
        total_loss = total_loss + F.cross_entropy(model(inputs), labels)
        accelerator.backward(total_loss)  # error: IP103
        optimizer.step()
        optimizer.zero_grad()
