"""An inconclusive verdict names the line on which the run failed, so that the user can give what it lacks."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from inplace_lsp.verify.client import Client
from verify.ways import SHORT, verdict

OWN = """
    import torch

    def f(x: torch.Tensor):
        y = x.exp()
        raise ValueError("never mind")
    """
HELPER = """
    import torch

    def check_mode(x):
        raise ValueError("no such mode")

    def f(x: torch.Tensor):
        y = x.exp()
        check_mode(y)
        return y
    """
CONSTRUCTOR = """
    import torch

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            raise ValueError("no such mode")

        # inplace: verify(self=Net(), x=randn(2))
        def forward(self, x):
            return x
    """


def test_the_line_and_its_text(client: Client) -> None:
    answer = verdict(client, OWN, "f", options=SHORT)
    error = "the code fails for another reason: ValueError: never mind"
    assert answer.why == f'{error} (at /nowhere/program.py:6, `raise ValueError("never mind")`)'


def test_the_line_of_a_helper_and_the_one_that_led_there(client: Client) -> None:
    answer = verdict(client, HELPER, "f", options=SHORT)
    assert answer.why.endswith('(at /nowhere/program.py:5, `raise ValueError("no such mode")`, reached from line 9)')


RAISED_FROM = """
    import torch

    def read_mode(name):
        return {"a": 1}[name]

    def f(x: torch.Tensor):
        try:
            read_mode("b")
        except KeyError as error:
            raise ValueError("no such mode") from error
    """


def test_the_line_that_raises_from_another_error(client: Client) -> None:
    answer = verdict(client, RAISED_FROM, "f", options=SHORT)
    assert answer.why.endswith('(at /nowhere/program.py:11, `raise ValueError("no such mode") from error`)')


def test_a_helper_that_raises_from_another_error_was_reached_from_a_line(client: Client) -> None:
    text = dedent(RAISED_FROM) + "\n\ndef g(x: torch.Tensor):\n    f(x)\n"
    answer = verdict(client, text, "g", options=SHORT)
    assert "/nowhere/program.py:11, " in answer.why
    assert answer.why.endswith("reached from line 15)"), answer.why


def test_a_helper_in_another_file_of_the_project(client: Client, tmp_path: Path) -> None:
    (tmp_path / "modes.py").write_text('def check_mode(x):\n    raise ValueError("no such mode")\n')
    text = dedent(HELPER).replace(
        'def check_mode(x):\n    raise ValueError("no such mode")', "from modes import check_mode"
    )
    answer = verdict(client, text, "f", file=tmp_path / "program.py", options=SHORT)
    assert f'(at {tmp_path / "modes.py"}:2, `raise ValueError("no such mode")`, reached from line 8)' in answer.why


def test_the_line_of_a_constructor(client: Client) -> None:
    answer = verdict(client, CONSTRUCTOR, "Net.forward")
    why = 'self = Net(): ValueError: no such mode (at /nowhere/program.py:7, `raise ValueError("no such mode")`)'
    assert (answer.verdict, answer.why) == ("inconclusive", why)


def test_torchs_own_files_are_none_of_the_project(client: Client) -> None:
    body = "layer = torch.nn.Linear(3, 4)\n        y = layer(x.flatten()[:2])"
    answer = verdict(client, OWN.replace("y = x.exp()", body), "f", options=SHORT)
    assert "(at /nowhere/program.py:6, `y = layer(x.flatten()[:2])`)" in answer.why
