"""What a backward hook of a module does, and what it calls: autograd calls it with grad mode off."""

from __future__ import annotations

import pytest
import torch

from inplace_lsp.engine import analyse_source

PRODUCT = """\
import torch
from torch import nn


class Derivatives:
    @staticmethod
    def _prepare(module: nn.Linear, mat):
        product = torch.zeros_like(mat)
        for step in reversed(range(mat.shape[1] - 1)):
            product[:, step] = torch.einsum("ng,gh->nh", product[:, step + 1], module.weight)
        return product

    def multiply(self, module: nn.Linear, {gradients}, mat):
        return self._prepare(module, mat){call}
"""
HOOK = """\
import torch
from torch import nn


def hook(module: nn.Linear, {gradients}):
    product = module.weight.exp()
    product.mul_(2)
    return product.sum()
{use}"""


def _find_severities(text: str) -> set[str]:
    return {finding.severity for finding in analyse_source(text, "/hooks.py").findings}


@pytest.mark.parametrize("gradients", ["grad_input, grad_output", "g_inp, g_out", "grad_in, grad_out"])
def test_a_function_that_takes_the_gradients_of_a_module_runs_without_grad_mode(gradients: str) -> None:
    assert _find_severities(HOOK.format(gradients=gradients, use="")) == {"hint"}
    assert _find_severities(PRODUCT.format(gradients=gradients, call="")) == {"hint"}


def test_who_registers_it_does_not_call_it() -> None:
    use = "\n\ndef watch(net):\n    net.register_full_backward_hook(hook)\n"
    assert _find_severities(HOOK.format(gradients="grad_input, grad_output", use=use)) == {"hint"}


@pytest.mark.parametrize(
    "gradients",
    ["grad_output, grad_input", "factor, grad_output", "grad_input, mat, grad_output", "more, grad_in, grad_out"],
)
def test_other_parameters_make_no_hook(gradients: str) -> None:
    assert _find_severities(HOOK.format(gradients=gradients, use="")) == {"warning"}


def test_a_program_that_calls_it_does_so_with_grad_mode() -> None:
    use = "\n\ndef train(net, x):\n    loss = hook(net, x.grad, None)\n    loss.backward()\n"
    assert "warning" in _find_severities(HOOK.format(gradients="grad_input, grad_output", use=use))


def test_torch_calls_hooks_with_grad_mode_off() -> None:
    modes: list[bool] = []
    net = torch.nn.Linear(2, 2)
    net.register_full_backward_hook(lambda *_: modes.append(torch.is_grad_enabled()))
    net(torch.rand(1, 2, requires_grad=True)).sum().backward()
    net(torch.rand(1, 2, requires_grad=True)).sum().backward(create_graph=True)
    assert modes == [False, True]
