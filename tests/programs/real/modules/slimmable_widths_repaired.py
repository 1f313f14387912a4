import torch
import torch.nn.functional as F
from torch import nn


class SlimmableLinear(nn.Linear):
    def __init__(self, i, o, widths):
        super().__init__(i, o)
        self.widths, self.active = widths, o

    def forward(self, x):
        return F.linear(x, self.weight[: self.active, : x.shape[1]], self.bias[: self.active])


class Supernet(nn.Module):
    def __init__(self, widths=(2, 4)):
        super().__init__()
        self.l1, self.l2 = SlimmableLinear(3, 4, widths), nn.ModuleList(nn.Linear(w, 2) for w in widths)
        self.widths = widths

    def forward(self, x, w):
        self.l1.active = w
        return self.l2[self.widths.index(w)](torch.tanh(self.l1(x)))


net = Supernet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(5, 3)
for _ in range(2):
    teacher = net(x, 4)
    losses = [F.cross_entropy(teacher, torch.randint(2, (5,)))]
    losses.append(F.kl_div(net(x, 2).log_softmax(-1), teacher.softmax(-1).detach(), reduction="batchmean"))
    opt.zero_grad()
    sum(losses).backward()
    opt.step()
