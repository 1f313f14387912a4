"""Gradients that went are stepped by nobody; hooks of a step come and go; a group is added."""

import torch
from torch import nn

net, other = nn.Linear(2, 2), nn.Linear(2, 2)
optimizer = torch.optim.SGD(params=net.parameters(), lr=0.1)
optimizer.add_param_group(param_group={"params": other.parameters()})
x = torch.rand(3, 2, requires_grad=True)
other(net(x)).sum().backward()
loss = other(net(x)).sum()
optimizer.zero_grad(set_to_none=True)
optimizer.step()
loss.backward()
handle = optimizer.register_step_pre_hook(hook=lambda optimizer, args, kwargs: other.weight.data.zero_())
handle.remove()
loss = other(net(x)).sum()
torch.optim.Optimizer.zero_grad(optimizer, set_to_none=True)
optimizer.load_state_dict(state_dict=optimizer.state_dict())
optimizer.step()
loss.backward()
assert optimizer.param_groups[1]["lr"] == 0.1
