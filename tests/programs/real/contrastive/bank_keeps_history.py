import torch
import torch.nn as nn
import torch.nn.functional as F


class Contrast(nn.Module):
    def __init__(self, n=10, dim=4):
        super().__init__()
        self.encoder = nn.Linear(6, dim)
        self.register_buffer("bank", F.normalize(torch.randn(n, dim), dim=1))

    def forward(self, x, index):
        feature = F.normalize(self.encoder(x), dim=1)
        logits = feature @ self.bank.clone().t()
        self.bank[index] = feature
        return F.cross_entropy(logits / 0.1, index)


def main():
    torch.manual_seed(19)
    model = Contrast()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        index = torch.arange(3) + 3 * step
        loss = model(torch.randn(3, 6), index)
        optimizer.zero_grad()
        loss.backward()  # error: IP103
        optimizer.step()
    return model


model = main()
