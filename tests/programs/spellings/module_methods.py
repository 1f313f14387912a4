"""Methods of modules find by keyword what they find by place."""

import torch
from torch import nn


class Held(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(name="scale", tensor=torch.ones(2), persistent=False)
        self.register_parameter(name="shift", param=nn.Parameter(torch.zeros(2)))
        self.add_module(name="inner", module=nn.Linear(2, 2))

    def forward(self, x):
        return self.inner(x) * self.scale + self.shift


def own_parameters(net, loss):
    """`shift` is added, and `scale` is saved: writing the one is fine."""
    with torch.no_grad():
        for parameter in net.parameters(recurse=False):
            parameter.mul_(2)
        for name, buffer in net.named_buffers(prefix="net", recurse=False):
            if name == "net.scale":
                buffer.mul_(2)  # error: IP101


def all_parameters(net, loss):
    with torch.no_grad():
        for parameter in net.parameters(recurse=True):
            parameter.mul_(2)  # error: IP101


def applied(net, loss):
    @torch.no_grad()
    def reset(module):
        if isinstance(module, nn.Linear):
            module.weight.fill_(1.0)  # error: IP101

    net.apply(fn=reset)


def below(net, loss):
    with torch.no_grad():
        net.get_submodule(target="inner").weight.zero_()  # error: IP101
        net.get_parameter(target="shift").zero_()


def loaded(net, loss):
    net.load_state_dict(state_dict=net.state_dict(), strict=True)  # error: IP102


def assigned(net, loss):
    net.load_state_dict(state_dict=net.state_dict(keep_vars=True), assign=True)


def kept(net, loss):
    with torch.no_grad():
        net.state_dict(prefix="a.", keep_vars=True)["a.inner.weight"].zero_()  # error: IP101


def frozen(net, loss):
    net.requires_grad_(requires_grad=False)
    net.inner.weight.requires_grad_(requires_grad=True)
    net.shift.zero_()
    net.requires_grad_(requires_grad=True)


x = torch.rand(3, 2, requires_grad=True)
for change in (own_parameters, all_parameters, applied, below, loaded, assigned, kept, frozen):
    net = Held()
    loss = net(x).sum()
    change(net, loss)
    try:
        loss.backward()
    except RuntimeError:
        pass
