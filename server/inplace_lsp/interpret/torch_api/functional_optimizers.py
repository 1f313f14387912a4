"""The functions behind torch's optimizers, which take parameters, gradients and all state as lists."""

from __future__ import annotations

from collections.abc import Callable

from inplace_lsp.interpret.autograd.ops import tensors_in
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Value, is_true

_FUNCTIONS = (
    "adadelta(params, grads, square_avgs, acc_deltas, state_steps, capturable=False, foreach=None, "
    "differentiable=False, has_complex=False, *, lr, rho, eps, weight_decay, maximize)",
    "adagrad(params, grads, state_sums, state_steps, fused=None, grad_scale=None, found_inf=None, "
    "has_sparse_grad=False, foreach=None, differentiable=False, has_complex=False, *, lr, weight_decay, lr_decay, eps, "
    "maximize)",
    "adam(params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, foreach=None, capturable=False, "
    "differentiable=False, fused=None, grad_scale=None, found_inf=None, has_complex=False, "
    "decoupled_weight_decay=False, *, amsgrad, beta1, beta2, lr, weight_decay, eps, maximize)",
    "adamax(params, grads, exp_avgs, exp_infs, state_steps, foreach=None, maximize=False, differentiable=False, "
    "capturable=False, has_complex=False, *, eps, beta1, beta2, lr, weight_decay)",
    "adamw(params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, foreach=None, capturable=False, "
    "differentiable=False, fused=None, grad_scale=None, found_inf=None, has_complex=False, *, amsgrad, beta1, beta2, "
    "lr, weight_decay, eps, maximize)",
    "asgd(params, grads, axs, mus, etas, state_steps, foreach=None, maximize=False, differentiable=False, "
    "capturable=False, has_complex=False, *, lambd, lr, t0, alpha, weight_decay)",
    "nadam(params, grads, exp_avgs, exp_avg_sqs, mu_products, state_steps, decoupled_weight_decay=False, foreach=None, "
    "capturable=False, differentiable=False, has_complex=False, maximize=False, *, beta1, beta2, lr, weight_decay, "
    "momentum_decay, eps)",
    "radam(params, grads, exp_avgs, exp_avg_sqs, state_steps, decoupled_weight_decay=False, foreach=None, "
    "differentiable=False, capturable=False, has_complex=False, maximize=False, *, beta1, beta2, lr, weight_decay, "
    "eps)",
    "rmsprop(params, grads, square_avgs, grad_avgs, momentum_buffer_list, state_steps, foreach=None, maximize=False, "
    "differentiable=False, capturable=False, has_complex=False, *, lr, alpha, eps, weight_decay, momentum, centered)",
    "rprop(params, grads, prevs, step_sizes, state_steps, foreach=None, capturable=False, maximize=False, "
    "differentiable=False, has_complex=False, *, step_size_min, step_size_max, etaminus, etaplus)",
    "sgd(params, d_p_list, momentum_buffer_list, has_sparse_grad=False, foreach=None, fused=None, grad_scale=None, "
    "found_inf=None, *, weight_decay, momentum, lr, dampening, nesterov, maximize)",
)


def _make_step(name: str) -> Callable[..., Value]:
    def take_step(machine: Machine, params: Value, **options: Value) -> Value:
        """Write the parameters; the caller has turned gradients off."""
        recorder = machine.recorder
        bumps = 0 if is_true(options.get("fused", NONE)) else 1
        for parameter in tensors_in(recorder, params):
            recorder.write_tensor(parameter, name, recorder.needs_grad([parameter]), bumps=bumps)
        return NONE

    return take_step


for _function in _FUNCTIONS:
    _name = _function.partition("(")[0]
    intrinsic(f"torch.optim.{_name}.{_function}")(_make_step(_name))
