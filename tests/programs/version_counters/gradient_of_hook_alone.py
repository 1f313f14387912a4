"""A hook may write a gradient that nothing else uses from then on."""

import torch
from torch import nn

first, second = nn.Linear(3, 3), nn.Linear(3, 3)
x = torch.rand(5, 3)

a, b = first(x), second(x)
a.register_hook(lambda g: g.mul_(0.1))  # the backward of `first` runs later, with the gradient in the graph
(a * b).square().sum().backward()

a, b = first(x), second(x)
a.register_hook(lambda g: g.mul_(0.1))  # `second` was called later: its backward is through
(a + b).square().sum().backward()

a, b = first(x), second(x)
b.register_hook(lambda g: g.mul_(0.1))  # the gradient of what is subtracted is its negative
(a - b).square().sum().backward()

a, b = first(x), second(x)
b.register_hook(lambda g: g.mul_(0.1))
torch.add(a, b, alpha=2).square().sum().backward()

a, b = first(x), second(x)
b.register_hook(lambda g: g.mul_(0.1))  # two gradients are added up for it
(a + b + b * 2).square().sum().backward()

a, b = first(x), second(x)
b.register_hook(lambda g: g.clone())
b.register_hook(lambda g: g.mul_(0.1))
(a + b).square().sum().backward()

a, b = first(x), second(x)
b.register_hook(lambda g: g.mul_(0.1))
torch.cat([a, b]).square().sum().backward()

a, b = first(x), second(x)
b.register_hook(lambda g: g.mul_(0.1))
(a.detach() + b).square().sum().backward()

bias = torch.rand(3, requires_grad=True)
bias.register_hook(lambda g: g.mul_(0.1))  # summed over the rows that it was added to
(first(x) + bias).square().sum().backward()

w, v = torch.rand(3, requires_grad=True), torch.rand(3, requires_grad=True)
v.register_hook(lambda g: g.mul_(0.1))  # `w` has its own by then
(w + v).square().sum().backward()

h, scale = torch.nn.Conv2d(3, 4, 1)(torch.rand(2, 3, 5, 5)), torch.nn.Linear(3, 4)(torch.rand(2, 3))
h.register_hook(lambda g: g.mul_(0.1))  # the gradient of `scale` is summed over the pixels
(h + scale[:, :, None, None]).square().sum().backward()

a, b = first(x), second(x)
b.register_hook(lambda g: g.mul_(0.1))  # nobody asks for the gradient of `first`
(a + b).square().sum().backward(inputs=list(second.parameters()))

a, b = first(x).double(), second(x)
b.register_hook(lambda g: g.mul_(0.1))  # it is of another type than that of `a`
(a + b).square().sum().backward()
