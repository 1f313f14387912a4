import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(4):
    loss = net(torch.randn(5, 3)).pow(2).mean()
    for group in opt.param_groups:
        group["lr"] *= 0.9
    for state in opt.state.values():
        state["exp_avg"].mul_(0.5)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step == 2:
        opt.load_state_dict(opt.state_dict())
        net.load_state_dict({k: v * 0.5 for k, v in net.state_dict().items()})
