"""Functions of torch find by keyword what they find by place."""

import torch
from torch import autograd, nn
from torch.autograd import Variable
from torch.func import functional_call
from torch.utils.checkpoint import checkpoint


def shared(x):
    y = x.sigmoid()
    torch.as_tensor(data=y).mul_(2)  # error: IP101
    return y


def shared_as_array(x):
    y = x.sigmoid()
    torch.asarray(obj=y, copy=True).mul_(2)
    torch.asarray(obj=y).mul_(2)  # error: IP101
    return y


def shared_and_detached(x):
    y = x.sigmoid()
    torch.asarray(obj=y, requires_grad=False).mul_(2)  # error: IP101
    return y


def converted(x):
    y = x.sigmoid()
    torch.as_tensor(data=y, dtype=torch.float64).mul_(2)
    return y


def variable(x):
    y = x.sigmoid()
    Variable(data=y).mul_(2)  # error: IP101
    return y


def written_in_a_checkpoint(x):
    y = x.sigmoid()
    z = checkpoint(function=torch.tanh, input=y, use_reentrant=False)
    y.mul_(2)  # error: IP101
    return z


def other_weights(x):
    layer = nn.Linear(3, 3)
    weight = torch.rand(3, 3, requires_grad=True) * 2
    given = {"weight": weight, "bias": torch.zeros(size=(3,))}
    y = functional_call(module=layer, parameter_and_buffer_dicts=given, args=(x,))
    weight.mul_(2)  # error: IP101
    return y.sum()


v = torch.rand(3, requires_grad=True)
for function in (
    shared,
    shared_as_array,
    shared_and_detached,
    converted,
    variable,
    written_in_a_checkpoint,
    other_weights,
):
    try:
        function(v).sum().backward()
    except RuntimeError:
        pass

x = torch.full(size=(3,), fill_value=0.5, requires_grad=True)
y = x.exp()
autograd.backward(tensors=y.sum(), retain_graph=True)
y.mul_(2)  # error: IP101
try:
    autograd.grad(outputs=y.sum(), inputs=[x], create_graph=True)
except RuntimeError:
    pass

p = nn.Parameter(data=torch.rand(3), requires_grad=True)
z = p * p
nn.init.zeros_(tensor=p)  # error: IP101
try:
    autograd.backward(tensors=z.sum())
except RuntimeError:
    pass
q = nn.Parameter(torch.rand(3), requires_grad=True)
(q * q).sum().backward()
gradient = q.grad.clone().requires_grad_()
q.grad = gradient * 1
kept = q.grad.sigmoid()
nn.utils.clip_grad_norm_(parameters=[q], max_norm=1.0)
kept.sum().backward()
