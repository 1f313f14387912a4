import torch
from torch import nn


class Temperature(nn.Module):
    def __init__(self, init=1.0):
        super().__init__()
        self._t = nn.Parameter(torch.tensor(init))

    @property
    def value(self):
        return self._t

    @value.setter
    def value(self, new):
        with torch.no_grad():
            self._t.fill_(new)  # error: IP101


class Calibrated(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin, self.temp = nn.Linear(3, 2), Temperature()

    def forward(self, x):
        return self.lin(x) / self.temp.value


net = Calibrated()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    loss = nn.functional.cross_entropy(net(torch.randn(4, 3)), torch.randint(2, (4,)))
    opt.zero_grad()
    net.temp.value = max(0.5, float(net.temp.value))
    loss.backward()
    opt.step()
