# unsafe: Compute `other` again after the step (computed with the new parameters)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
net = nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
other = None
# now and then
if len(x.shape) == 1 or other is None:
    pass
flag = True
if flag:
    other = net(net(x)).sum()
for _ in range(1):
    net(x).sum().backward()
    opt.step()
if flag:
    other = net(net(x)).sum()
if other is not None:
    other.backward()
