import torch
import torch.nn as nn
import torch.nn.functional as F


class WSConv2d(nn.Conv2d):
    def forward(self, x):
        w = self.weight
        mean = w.mean(dim=(1, 2, 3), keepdim=True)
        w = w - mean
        std = w.flatten(1).std(dim=1).view(-1, 1, 1, 1) + 1e-5
        w /= std  # error: IP101
        return F.conv2d(x, w, self.bias, self.stride, self.padding)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = WSConv2d(1, 4, 3, padding=1)
        self.gn = nn.GroupNorm(2, 4)
        self.c2 = WSConv2d(4, 4, 3, padding=1)
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        x = F.relu(self.gn(self.c1(x)), inplace=True)
        return self.fc(self.c2(x).mean((2, 3)))


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True)
for _ in range(2):
    loss = F.cross_entropy(net(torch.randn(2, 1, 8, 8)), torch.tensor([0, 2]))
    opt.zero_grad()
    loss.backward()
    opt.step()
