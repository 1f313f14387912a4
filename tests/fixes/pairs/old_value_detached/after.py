# unsafe: Detach `old` on line 12 (`old` gets no gradient)
import torch
from torch import nn

torch.manual_seed(0)
from torch.distributions import Categorical

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    obs = torch.randn(5, 3)
    actions = Categorical(logits=net(obs)).sample()
    old = Categorical(logits=net(obs)).log_prob(actions).detach()
    for _ in range(2):
        ratio = (Categorical(logits=net(obs)).log_prob(actions) - old).exp()
        opt.zero_grad()
        (-ratio.mean()).backward()
        opt.step()
