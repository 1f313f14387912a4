"""What hardly carries a gradient: results of functions that were given numbers alone, factors of detached tensors,
slices of arguments that are unpacked."""

from __future__ import annotations

from inplace_lsp.engine import analyse_source
from inplace_lsp.hazards.finding import Finding

WALKS = """\
import torch
from torch import nn
import mylib


def directions(height, width, made):
    u, v = made[0][..., 0], made[0][..., 1]
    return torch.stack([u / height, v / width], -1)


net = nn.Linear(2, 1)
given = torch.rand(4, 4, 2, requires_grad=True)
rays = directions(2.0, 3.0, {made})
for _ in range(3):
    net(rays).sum().backward()
"""


def _check(text: str) -> list[Finding]:
    return list(analyse_source(text, "/program.py").findings)


def test_what_is_made_of_numbers_carries_no_graph() -> None:
    assert not _check(WALKS.format(made="mylib.make_grid(4, (4, 2), normalised=False, device='cpu')"))
    assert not _check(WALKS.format(made="mylib.make_grid(4, 4).float()"))


def test_neither_does_what_is_computed_of_that_and_of_tensors_without_a_graph() -> None:
    assert not _check(WALKS.format(made="mylib.blur(mylib.make_grid(4, 4) - 0.5, torch.rand(2, 2))"))


def test_what_is_made_of_tensors_may_carry_one() -> None:
    [finding] = _check(WALKS.format(made="mylib.warp_grid(4, [given])"))
    assert (finding.code, finding.severity) == ("IP103", "warning")
    assert _check(WALKS.format(made="given[None]"))[0].severity == "error"


SHIFTED = """\
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 3)
        self.scale = nn.Parameter(torch.ones(2))

    def forward(self, x, centre, focal):
        shift = self.head(x)
        shift[:, :2] -= ({factor}) * shift[:, 2:].detach()
        return shift
"""


def test_a_factor_of_what_was_detached_is_meant_as_numbers() -> None:
    [finding] = _check(SHIFTED.format(factor="centre / focal"))
    assert (finding.code, finding.severity) == ("IP101", "hint")
    [loud] = _check(SHIFTED.format(factor="self.scale / focal"))
    assert (loud.code, loud.severity) == ("IP101", "error")


UNPACKED = """\
import torch
from torch import nn
from torch.nn import functional as F


class Criterion(nn.Module):
    def forward(self, output, target):
        heat, offset, row = {output}
        heat = heat.sigmoid_().clamp(min=1e-4)
        return F.mse_loss(heat, target) + offset.abs().mean() + row.mean()
"""


def test_a_slice_of_an_argument_that_is_unpacked_consists_of_several() -> None:
    assert not [found for found in _check(UNPACKED.format(output="output[:3]")) if found.severity != "hint"]
    [finding] = _check(UNPACKED.format(output="torch.unbind(output)"))
    assert finding.code == "IP203"


TRAINED = """\
import torch
from torch import nn


class Learner:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def train(self, batch):
        ended = batch["ended"].float()
        mask = batch["filled"].float()
        mask[:, 1:] = mask[:, 1:] * (1 - ended[:, :-1])
        error = (self.net(batch["obs"]).squeeze(-1) - batch["reward"]) * mask
        loss = (error**2).sum() / mask.sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
"""
CALLED = """

if __name__ == "__main__":
    data = {
        "reward": torch.randn(2, 5),
        "ended": torch.zeros(2, 5),
        "filled": torch.ones(2, 5),
        "obs": torch.randn(2, 5, 3),
    }
    Learner(nn.Linear(3, 1)).train(data)
"""


def test_nothing_is_left_of_a_doubt_that_a_call_contradicts() -> None:
    [finding] = _check(TRAINED)
    assert (finding.code, finding.severity) == ("IP101", "hint")
    assert not _check(TRAINED + CALLED)
    [loud] = _check(TRAINED + CALLED.replace("torch.zeros(2, 5)", "torch.zeros(2, 5, requires_grad=True)"))
    assert (loud.code, loud.severity) == ("IP101", "error")


BUFFER = """\
import torch
from torch import nn
import mylib


class Rotated(nn.Module):
    def __init__(self, angles):
        super().__init__()
        table = torch.exp(mylib.rotations(angles, torch.ones(3)))
        {keep}
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x):
        return x * (self.table**2) * self.weight


net = Rotated(torch.rand(3, requires_grad=True))
for _ in range(3):
    net(torch.rand(3)).sum().backward()
"""


def test_a_buffer_is_a_constant_unless_a_graph_is_in_sight() -> None:
    assert [finding.code for finding in _check(BUFFER.format(keep="self.table = table"))] == ["IP103"]
    assert not _check(BUFFER.format(keep="self.register_buffer('table', table)"))
    made_here = BUFFER.format(keep="self.register_buffer('table', table)").replace("mylib.rotations", "torch.mul")
    assert [finding.code for finding in _check(made_here)] == ["IP103"]


SETTING = """\
import torch
import mylib


def prepare(path, net):
    {setting} = {value}
    loss = net(torch.rand(2)).sum()
    loss.backward()
    return loss
"""


def test_data_of_something_unknown_that_gets_something_unknown_is_a_setting() -> None:
    assert not _check(SETTING.format(setting="mylib.get_settings(path).data", value="mylib.fetch(path)"))
    [finding] = _check(SETTING.format(setting="mylib.get_weight(net).data", value="torch.tanh(net(torch.rand(2)))"))
    assert finding.code == "IP302"


QUANTIZED = """\
import torch
from torch import nn


def add_noise(layer, p):
    def drop_blocks(module, inputs):
        weight = module.weight
        mask = torch.zeros_like(weight).bernoulli_(p).bool()
        module.weight.data = FACTOR * weight.masked_fill(mask, 0)

    layer.register_forward_pre_hook(drop_blocks)
    return layer


class Attention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.scale = nn.Linear(3, 3)
        self.query = add_noise(nn.Linear(3, 3), cfg.noise.p)

    def forward(self, x):
        return self.query(x)
"""


def test_a_factor_from_a_configuration_adds_no_graph_to_a_weight_that_is_computed_from_itself() -> None:
    severities = {
        factor: [finding.severity for finding in _check(QUANTIZED.replace("FACTOR", factor))]
        for factor in ("2", "1 / (1 - p)", "torch.nn.Parameter(torch.ones(1))")
    }
    assert severities == {
        "2": ["hint"],
        "1 / (1 - p)": ["hint"],
        "torch.nn.Parameter(torch.ones(1))": ["error"],
    }


RESULTS = """\
from torch import nn


def square(net: nn.Module, x):
    {target} = net(x)
    loss = ({name} * {name}).sum()
    {name}.mul_(2)
    loss.backward()
"""


def test_the_result_of_unseen_layers_is_called_by_its_variable() -> None:
    for target, name in (("code", "code"), ("mean, spread", "mean")):
        [finding] = _check(RESULTS.format(target=target, name=name))
        assert finding.message.startswith(f"`{name}` is written here"), finding.message


FITTED = """\
import numpy as np
import torch
from torch import nn


class Fitted:
    def __init__(self, value_model_fn, value_optimizer_fn, rounds):
        self.value_model_fn = value_model_fn
        self.value_optimizer_fn = value_optimizer_fn
        self.rounds = rounds

    def improve(self, seen):
        states, rewards = seen
        loss = (self.model(states) - rewards).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def train(self, width):
        self.model = self.value_model_fn(width)
        self.optimizer = self.value_optimizer_fn(self.model, 0.1)
        seen = {seen}
        for _ in range(self.rounds):
            self.improve(seen)


class Values(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, 1)

    def forward(self, x):
        return self.linear(x)

    def convert(self, arrays):
        return [torch.from_numpy(array).float() for array in arrays]
"""
_CALLS = """

fitted = Fitted(lambda width: Values(width), lambda net, lr: torch.optim.SGD(net.parameters(), lr=lr), 2)
fitted.train(3)
"""
_CONVERTED = FITTED.replace("{seen}", "self.model.convert([np.zeros((2, 3)), np.zeros((2, 1))])")


def test_what_is_called_makes_an_optimizer_and_the_other_a_network() -> None:
    assert not _check(FITTED.replace("{seen}", "(torch.zeros(2, 3), torch.zeros(2, 1))"))
    [finding] = _check(FITTED.replace("{seen}", "(self.model(torch.zeros(2, 3)), torch.zeros(2, 1))"))
    assert (finding.code, finding.severity) == ("IP103", "warning")


def test_a_program_that_was_followed_speaks_for_the_methods_that_it_calls() -> None:
    assert _check(_CONVERTED)[0].severity == "warning"
    assert [finding.severity for finding in _check(_CONVERTED + _CALLS)] == ["hint"]
    computed = _CONVERTED.replace(
        "torch.from_numpy(array).float()", "torch.from_numpy(array).float() * self.linear.bias"
    )
    assert [finding.severity for finding in _check(computed + _CALLS)] == ["error"]
