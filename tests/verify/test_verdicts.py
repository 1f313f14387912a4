"""What a run comes to: confirmed, silent, not-reproduced, inconclusive."""

from __future__ import annotations

from inplace_lsp.tape.model import Backward
from inplace_lsp.verify.as_json import as_json
from inplace_lsp.verify.client import Client
from verify.ways import found, verdict

EXP = """
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
print("between")
y.add_(1)
y.sum().backward()
"""


def test_torch_raises_and_the_write_is_named(client: Client) -> None:
    answer = verdict(client, EXP)
    assert answer.verdict == "confirmed"
    assert answer.error is not None and "modified by an inplace operation" in answer.error
    (violation,) = answer.violations
    assert (violation.code, violation.written.row, violation.saved and violation.saved.row) == ("IP101", 7, 5)
    assert (violation.expected_version, violation.found_version, violation.op) == (0, 1, "exp")
    assert answer.output == "between\n"


def test_the_json_has_the_fields_of_the_contract(client: Client) -> None:
    data = as_json(verdict(client, EXP))
    assert list(data) == (
        "function verdict reason inputs error violations trace torch device seed seconds notes".split()
    )
    assert data["inputs"] == {"source": "call-site", "arguments": {}}
    assert data["violations"][0]["written"]["location"] == {"row": 7, "column": 1}
    assert {event["kind"] for event in data["trace"]} >= {"save", "write", "backward", "check"}


def test_all_violations_are_found_in_one_run(client: Client) -> None:
    answer = verdict(
        client,
        """
        import torch

        def f():
            x = torch.rand(3, requires_grad=True)
            a, b = x.exp(), x.sin()
            c = b.sigmoid()
            a.mul_(2)
            c.neg_()
            return (a, {"c": c})
        """,
        "f",
    )
    assert answer.verdict == "confirmed"
    assert found(answer) == {(8, "IP101"), (9, "IP101")}


def test_a_wrong_gradient_is_measured(client: Client) -> None:
    answer = verdict(
        client,
        """
        import torch

        def f():
            x = torch.ones(4, requires_grad=True)
            y = x * 1.0
            z = y ** 2
            y.data.mul_(3)
            z.sum().backward()
        """,
        "f",
    )
    assert answer.verdict == "silent"
    assert found(answer) == {(8, "IP301")}
    assert "off by 200% of its norm (at most 4 in one element)" in answer.reason


def test_a_program_that_is_fine(client: Client) -> None:
    answer = verdict(client, EXP.replace("y.add_(1)", "y = y + 1"))
    assert (answer.verdict, answer.violations, answer.error) == ("not-reproduced", (), None)


def test_an_error_of_the_code_itself(client: Client) -> None:
    answer = verdict(client, "import torch\n\ndef f():\n    return torch.rand(3) @ torch.rand(4)\n", "f")
    assert answer.verdict == "inconclusive"
    assert answer.reason.startswith("inconclusive: the code fails for another reason: RuntimeError: ")


def test_an_exception_that_the_code_catches_was_raised(client: Client) -> None:
    caught = EXP.replace("y.sum().backward()", "try:\n    y.sum().backward()\nexcept RuntimeError:\n    pass")
    answer = verdict(client, caught)
    assert (answer.verdict, answer.error, found(answer)) == ("confirmed", None, {(7, "IP101")})


def test_a_training_step_that_returns_its_loss_is_walked_once(client: Client) -> None:
    answer = verdict(
        client,
        """
        import torch

        def step():
            net = torch.nn.Linear(2, 1)
            loss = net(torch.rand(3, 2)).square().mean()
            loss.backward()
            return loss
        """,
        "step",
    )
    assert answer.verdict == "not-reproduced"


def test_random_numbers_are_those_of_the_seed(client: Client) -> None:
    text = "import torch, random\nprint(torch.rand(2), random.random(), hash('a'))\n"
    assert verdict(client, text).output == verdict(client, text).output


def test_a_thread_is_recorded(client: Client) -> None:
    text = """
    import threading

    import torch


    def work(x, out):
        y = x.exp()
        y.add_(1)
        out.append(y.sum())


    out = []
    thread = threading.Thread(target=work, args=(torch.rand(3, requires_grad=True), out))
    thread.start()
    thread.join()
    out[0].backward()
    """
    answer = verdict(client, text)
    assert answer.verdict == "confirmed"
    assert [(each.code, each.written.row) for each in answer.violations] == [("IP101", 9)]
    assert any("1 thread(s) were started" in note for note in answer.notes)


def test_what_a_transform_does_is_left_alone_and_what_is_outside_recorded(client: Client) -> None:
    text = """
    import torch
    from torch.func import functional_call, grad, vmap

    net = torch.nn.Linear(3, 3)


    def loss(params, x):
        return functional_call(net, params, (x,)).sigmoid().sum()


    each = vmap(grad(loss), in_dims=(None, 0))(dict(net.named_parameters()), torch.rand(4, 3))
    hidden = net(torch.rand(2, 3)).sigmoid()
    hidden.mul_(2)
    hidden.sum().backward()
    """
    answer = verdict(client, text)
    assert answer.verdict == "confirmed"
    assert [(each.code, each.written.row) for each in answer.violations] == [("IP101", 14)]
    assert any("line 12: what happens inside the transforms of torch.func" in note for note in answer.notes)


def test_a_custom_function_is_judged_when_it_is_applied(client: Client) -> None:
    text = """
    import torch


    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            return x

        @staticmethod
        def backward(ctx, grad):
            return grad * 2


    y = Scale.apply(torch.rand(3, requires_grad=True) * 1)
    """
    answer = verdict(client, text, "Scale.forward")
    assert (answer.verdict, answer.source) == ("silent", "call-site")
    assert [(each.code, each.written.row) for each in answer.violations] == [("IP303", 8)]


CALLED = """\
import torch


def scaled(x):
    y = x.exp()
    y.mul_(2)
    return y


loss = scaled(torch.rand(3, requires_grad=True)).sum()
loss.backward()
"""


def test_a_backward_that_verify_runs_is_not_told_of_the_line_that_called(client: Client) -> None:
    answer = verdict(client, CALLED, "scaled")
    assert answer.verdict == "confirmed"
    assert answer.tape is not None
    walks = [event for event in answer.tape.events if isinstance(event, Backward)]
    assert [walk.by_verify for walk in walks] == [True]
    assert walks[0].span.row < CALLED.split("\n").index("loss = scaled(torch.rand(3, requires_grad=True)).sum()")
