"""What the observing recorder says about a function: events, places, names, and the outcome."""

from __future__ import annotations

import torch
from torch import nn

from inplace_lsp.hazards.registry import find_all
from inplace_lsp.tape.model import Actor, Backward, Check, Save, SetData, Tape, View, Write
from inplace_lsp.worker.recorder import observe


def events(tape: Tape, kind: type) -> list:
    return [event for event in tape.events if isinstance(event, kind)]


def first_line(function) -> int:
    return function.__code__.co_firstlineno


def exp_then_write(x):
    y = x.exp()
    y.add_(1)
    return y


def test_a_function_that_returns_a_graph_is_walked() -> None:
    tape = observe(exp_then_write, (torch.rand(3, requires_grad=True),))
    assert tape.error is not None
    assert "inplace operation" in tape.error
    (found,) = find_all(tape)
    assert (found.code, found.span.row) == ("IP101", first_line(exp_then_write) + 2)
    assert found.severity == "error"
    assert "`y` is written here (version 0 -> 1), but `exp` on line" in found.message


def test_without_a_gradient_nothing_is_saved() -> None:
    tape = observe(exp_then_write, (torch.rand(3),))
    assert tape.error is None
    assert not events(tape, Save)
    assert find_all(tape) == ()


def test_the_arguments_are_left_alone() -> None:
    x = torch.zeros(3)
    observe(torch.Tensor.add_, (x, 1), files=[__file__])
    assert x.tolist() == [0, 0, 0]
    assert x._version == 0


def test_saves_have_op_role_version_and_name() -> None:
    def work(x):
        y = x * 2
        y.add_(1)
        return y.sin() * y

    (sin, *factors) = events(observe(work, (torch.rand(3, requires_grad=True),)), Save)
    assert (sin.op, sin.role, sin.tensor.name, sin.tensor.version) == ("sin", "self", "y", 1)
    assert {(save.op, save.role) for save in factors} == {("mul", "self"), ("mul", "other")}
    assert len({save.node for save in factors}) == 1 != sin.node


def test_views_share_the_counter_and_data_does_not() -> None:
    def work(x):
        y = x * 2
        row, same, alias = y[0], y.detach(), y.data
        row.add_(1)
        same.add_(1)
        alias.add_(1)
        return y

    tape = observe(work, (torch.rand(2, 3, requires_grad=True),))
    row, same, alias = events(tape, Write)
    assert row.tensor.counter == same.tensor.counter != alias.tensor.counter
    assert row.tensor.storage == same.tensor.storage == alias.tensor.storage
    assert [(write.tensor.version, write.version_after) for write in (row, same, alias)] == [(0, 1), (1, 2), (0, 1)]
    assert [write.alias for write in (row, same, alias)] == ["", "", ".data"]
    assert [view.op for view in events(tape, View)] == ["__getitem__", "detach", ".data"]


def test_contents_are_compared() -> None:
    def same_again(x):
        y = x.exp()
        y.data.copy_(y.detach().clone())
        return y

    def changed(x):
        y = x.exp()
        y.data.zero_()
        return y

    x = torch.rand(3, requires_grad=True)
    assert [check.changed for check in events(observe(same_again, (x,)), Check)] == [False]
    of_the_save, of_what_follows = events(observe(changed, (x,)), Check)
    assert (of_the_save.changed, of_what_follows.changed) == (True, True)
    assert find_all(observe(same_again, (x,))) == ()


def test_a_module_is_judged_by_its_forward() -> None:
    net = nn.Sequential(nn.Linear(3, 3), nn.Sigmoid(), nn.ReLU(inplace=True))

    def run(net, x):
        return net(x)

    tape = observe(run, (net, torch.rand(2, 3)))
    (found,) = find_all(tape)
    assert (found.code, found.span.row) == ("IP101", first_line(run) + 1)


def test_a_step_is_the_work_of_the_optimizer() -> None:
    def run(net, x):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        net(x).sum().backward()
        optimizer.step()
        net.weight.data.add_(1)
        net.reset_parameters()

    writes = events(observe(run, (nn.Linear(2, 1), torch.rand(3, 2))), Write)
    by_row = {write.span.row - first_line(run): (write.actor, write.op) for write in writes}
    assert by_row == {
        3: (Actor.STEP, "SGD.step"),
        4: (Actor.CODE, "add_"),
        5: (Actor.STEP, "reset_parameters"),
    }


def test_what_torch_keeps_of_a_parameter_has_its_name() -> None:
    def run(net, x, keep):
        out = net(x)  # keeps the transposed weight, an object that the program never sees
        if keep:
            row = net.weight[0]
            out = out + row.exp().sum()
        net.reset_parameters()
        return out

    def saved(keep: bool) -> list[str]:
        net, x = nn.Linear(2, 1), torch.rand(3, 2, requires_grad=True)
        saves = events(observe(run, (net, x, keep)), Save)
        return [save.tensor.name for save in saves if save.op == "linear" and save.role == "mat2"]

    assert saved(keep=False) == ["net.weight"]
    assert saved(keep=True) == [""]  # it could be a piece of the weight, too


def test_an_outermost_call_is_noted() -> None:
    def helper(t):
        t.add_(1)

    def run(x):
        y = x * 2
        helper(y)
        y.add_(1)
        return y

    in_helper, direct = events(observe(run, (torch.rand(2, requires_grad=True),)), Write)
    assert in_helper.span.row == first_line(helper) + 1
    assert in_helper.call is not None
    assert in_helper.call.row == first_line(run) + 2
    assert direct.call is None


def test_every_violation_of_one_run_is_seen() -> None:
    def run(x):
        y, z = x.exp(), x.sigmoid()
        y.zero_()
        z.zero_()
        (y.sum()).backward()
        (z.sum()).backward()

    rows = [found.span.row - first_line(run) for found in find_all(observe(run, (torch.rand(3, requires_grad=True),)))]
    assert rows == [2, 3]


def test_swapping_data_is_told_with_both_tensors() -> None:
    def run(x):
        y = x * 2
        x.data = y
        return x.sum()

    (swap,) = events(observe(run, (torch.rand(3, requires_grad=True),)), SetData)
    assert (swap.tensor.name, swap.value.name) == ("x", "y")
    assert swap.value.requires_grad
    assert not swap.value.leaf


def test_both_runs_draw_the_same_random_numbers() -> None:
    def run(x):
        y = x.exp()
        if torch.rand(()) < 0.5:
            y.add_(1)
        return y

    for seed in range(8):
        tape = observe(run, (torch.rand(3, requires_grad=True),), seed=seed)
        assert (tape.error is not None) == bool(find_all(tape))
        assert tape.notes == ()


def test_an_error_of_the_function_itself_is_the_outcome() -> None:
    def run(x):
        return x @ torch.rand(7, 7)

    tape = observe(run, (torch.rand(2, 3, requires_grad=True),))
    assert tape.error is not None
    assert tape.error.startswith("RuntimeError: ")
    assert find_all(tape) == ()


def test_the_real_state_of_torch_is_restored() -> None:
    def run(x):
        torch.set_grad_enabled(False)
        torch.set_default_dtype(torch.float64)

    engine = torch.autograd.Variable._execution_engine
    observe(run, (torch.rand(3),))
    assert torch.is_grad_enabled()
    assert torch.get_default_dtype() is torch.float32
    assert torch.autograd.Variable._execution_engine is engine


def test_backward_keeps_what_the_program_asked_for() -> None:
    def run(x):
        y = x.exp().sum()
        y.backward(retain_graph=True)
        y.backward()

    assert [backward.retain for backward in events(observe(run, (torch.rand(3, requires_grad=True),)), Backward)] == [
        True,
        False,
    ]
