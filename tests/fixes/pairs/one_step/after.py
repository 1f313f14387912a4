# unsafe: Step once, after the loop: `opt.step()` (one step for all iterations, with the sum of their gradients)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
net = nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
mid = net(x.sin()).tanh()
losses = [(net(mid) * i).sum() for i in range(2)]
opt.zero_grad()
for loss in losses:
    # one by one
    loss.backward(retain_graph=True)
opt.step()  # now
