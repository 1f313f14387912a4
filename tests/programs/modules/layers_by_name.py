import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        for i in range(2):
            self.add_module("sigmoid_%d" % i, nn.Sigmoid())
            setattr(self, "tanh{}".format(i), nn.Tanh())
            setattr(self, "relu" + str(i), nn.ReLU())
            self._modules[f"softplus{i}"] = nn.Softplus()

    def forward(self, x):
        total = 0
        for i in range(2):
            a = self._modules["sigmoid_%d" % i](x)
            a.mul_(2)  # error: IP101
            b = getattr(self, "tanh{}".format(i))(x)
            b.mul_(2)  # error: IP101
            c = getattr(self, "relu" + str(i))(x)
            c.mul_(2)  # error: IP101
            e = self.__getattr__(f"relu{i}")(x)
            e.mul_(2)  # error: IP101
            d = getattr(self, f"softplus{i}")(x)
            d.mul_(2)
            total = total + a + b + c + d + e
        return total


net = Net()
assert len(net._modules) == 8 and not net._parameters
net(torch.rand(3, requires_grad=True)).sum().backward()
