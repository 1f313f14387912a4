import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
queue = torch.zeros(6, 2)
for at in range(3):
    new = net(torch.randn(2, 3)).exp()
    loss = (new @ queue.clone().t()).sum() + new.mean()
    queue[2 * at : 2 * at + 2] = new * 0.5
    opt.zero_grad()
    loss.backward()
    opt.step()
