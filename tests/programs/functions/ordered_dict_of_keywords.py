"""An OrderedDict made of keywords holds the very parameters that an adapted step writes."""

from collections import OrderedDict

import torch
import torch.nn.functional as F

torch.manual_seed(0)
params = OrderedDict(w=torch.randn(2, 3, requires_grad=True), v=torch.randn(1, 2, requires_grad=True))
fast = OrderedDict((name, p) for name, p in params.items())
x = torch.randn(4, 3, requires_grad=True)
loss = F.linear(torch.tanh(F.linear(x, fast["w"])), fast["v"]).square().mean()
grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
for (_, p), grad in zip(fast.items(), grads):
    with torch.no_grad():
        p.sub_(0.1 * grad)  # error: IP101
sum(grad.square().sum() for grad in grads).backward()
