"""One loop for training and validation, with set_grad_enabled."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(inplace=True), nn.Linear(4, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loaders = {"train": [torch.randn(2, 3)] * 2, "val": [torch.randn(2, 3)]}
for phase in ["train", "val"]:
    model.train() if phase == "train" else model.eval()
    for inputs in loaders[phase]:
        opt.zero_grad()
        with torch.set_grad_enabled(phase == "train"):
            outputs = model(inputs)
            loss = outputs.logsumexp(-1).mean()
            if phase == "train":
                loss.backward()
                opt.step()
        outputs = outputs.detach()
        outputs -= outputs.max()
