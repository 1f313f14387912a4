"""What a safety budget cuts is named: the statements that may write or run backward and that no run has come to."""

from __future__ import annotations

import pytest

from inplace_lsp.analysis import NotAnalysed
from inplace_lsp.engine import analyse_source
from inplace_lsp.interpret.entries import entries

FILE = "/program.py"
LONG = "    x = x + 1\n" * 60
"""More than may be executed here."""


@pytest.fixture(autouse=True)
def _little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "STEPS", 100)
    monkeypatch.setattr(entries, "STEPS_OF_PROGRAM", 100)


def program(body: str) -> str:
    return f"import torch\n\n\ndef f(x):\n{body}    return x\n"


def cut(text: str) -> list[NotAnalysed]:
    return [gap for gap in analyse_source(text, FILE).gaps if gap.cut]


def unreached(text: str) -> list[tuple[str, str]]:
    """Function and text of every statement that was never reached."""
    lines = text.split("\n")
    return [(gap.function, lines[span.row - 1].strip()) for gap in cut(text) for span in gap.unreached]


def test_what_may_write_or_walk_is_named_with_the_reason():
    text = program(f"{LONG}    y = x.exp()\n    y.add_(1)\n    y.sum().backward()\n")
    assert unreached(text) == [("f", "y.add_(1)"), ("f", "y.sum().backward()")]
    assert [gap.reason for gap in cut(text)] == ["too long to follow every path"]


def test_the_statement_is_named_and_not_the_one_around_it():
    text = program(f"{LONG}    for row in x:\n        if row.max() > 0:\n            row.mul_(2)\n")
    assert unreached(text) == [("f", "row.mul_(2)")]


def test_what_was_executed_is_not_named():
    text = program(f"    y = x.exp()\n    y.add_(1)\n{LONG}    x += 1\n")
    assert unreached(text) == [("f", "x += 1")]


def test_a_function_of_the_module_is_named_on_its_own():
    module = "x = torch.rand(3)\n" + LONG.replace("    ", "")
    text = program(f"{LONG}    x.add_(1)\n") + f"\n\n{module}x.mul_(2)\n"
    assert unreached(text) == [("<module>", "x.mul_(2)"), ("f", "x.add_(1)")]


def test_a_function_nested_in_another_belongs_to_it():
    text = program(f"    def step(y):\n        y.add_(1)\n\n{LONG}    step(x)\n")
    assert unreached(text) == [("f", "y.add_(1)")]


def test_an_edit_above_moves_what_is_named():
    text = program(f"{LONG}    x.add_(1)\n")
    assert unreached(text) == unreached(text.replace("import torch\n", "import torch\n\nSIZE = 3\n")) != []


def test_nothing_is_cut_where_all_was_seen():
    assert cut(program("    x.add_(1)\n")) == []


BRANCHES = "".join(f"    if flags[{n}]:\n        size = size + {n}\n" for n in range(12))
"""More paths than are taken."""


@pytest.fixture
def _time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "STEPS", 20_000)


def branching(body: str) -> str:
    """Return a function with many paths around `body`."""
    return f"import torch\n\n\ndef f(x, flags, size):\n{BRANCHES}{body}{BRANCHES}    return x\n"


NONE_CAN_SHOW_MORE = {
    "only saves": "    y = x.exp()\n",
    "only writes": "    torch.zeros(size).fill_(1)\n",
    "only writes, on a branch": "    if flags[50]:\n        torch.zeros(size).fill_(1)\n",
    "only writes, and computes with numbers": (
        "    torch.zeros(size).fill_(1)\n    if flags[50]:\n        size = 2 * size\n"
    ),
}
"""What stands between the branches so that no path can show a hazard."""
ONE_MAY_SHOW_MORE = {
    "both": "    y = x.exp()\n    torch.zeros(size).fill_(1)\n",
    "a save on a branch": "    torch.zeros(size).fill_(1)\n    if flags[50]:\n        y = x.exp()\n",
    "each on an arm of a branch": (
        "    if flags[50]:\n        torch.zeros(size).fill_(1)\n    else:\n        y = x.exp()\n"
    ),
    "each in an arm of an expression": "    z = torch.zeros(size).fill_(1) if flags[50] else x.exp()\n",
}
"""What stands there so that a path may both save and write."""


@pytest.mark.usefixtures("_time_enough")
@pytest.mark.parametrize("name", [*NONE_CAN_SHOW_MORE, *ONE_MAY_SHOW_MORE])
def test_many_paths_are_seen_in_part_if_one_may_save_and_write(name: str):
    body = NONE_CAN_SHOW_MORE.get(name) or ONE_MAY_SHOW_MORE[name]
    reasons = ["too long to follow every path"] if name in ONE_MAY_SHOW_MORE else []
    assert [gap.reason for gap in cut(branching(body))] == reasons
