import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiTask(nn.Module):
    def __init__(self, n_tasks=3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 12), nn.Tanh())
        self.heads = nn.ModuleList(nn.Linear(12, 1) for _ in range(n_tasks))

    def forward(self, x):
        features = self.body(x)
        return [head(features) for head in self.heads]


def main():
    torch.manual_seed(5)
    model = MultiTask()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(3):
        x = torch.randn(4, 6)
        targets = [torch.randn(4, 1) for _ in range(3)]
        outputs = model(x)
        optimizer.zero_grad()
        loss = 0
        for output, target in zip(outputs, targets):
            loss = loss + F.mse_loss(output, target)
        loss.backward()
        optimizer.step()
    return model


model = main()
