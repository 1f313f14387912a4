import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
net = nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
mid = net(x.sin()).tanh()
losses = [(net(mid) * i).sum() for i in range(2)]
for loss in losses:
    # one by one
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()  # now
