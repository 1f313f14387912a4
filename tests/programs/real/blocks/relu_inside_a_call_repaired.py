import torch
import torch.nn as nn
import torch.nn.functional as F


class SEBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.down = nn.Conv2d(c, c // 2, 1)
        self.up = nn.Conv2d(c // 2, c, 1)

    def forward(self, x):
        s = F.adaptive_avg_pool2d(x, 1)
        s = torch.tanh(self.down(s))
        g = torch.sigmoid(self.up(F.relu(s)))
        return x * g


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.se = SEBlock(4)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        x = self.se(F.relu(self.conv(x), inplace=True))
        return self.fc(x.mean((2, 3)))


def main():
    torch.manual_seed(27)
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        F.cross_entropy(net(torch.randn(2, 3, 5, 5)), torch.tensor([0, 1])).backward()
        optimizer.step()
    return net


net = main()
