"""Programs that are long in one direction only: the work grows hardly faster than they do.

The work is counted in function calls: a busy machine makes the seconds longer, not the calls more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from cProfile import Profile
from io import StringIO
from typing import TypeVar

import pytest

from inplace_lsp import engine
from inplace_lsp.analysis import Analysis, Cause
from inplace_lsp.cli.reports import Job
from inplace_lsp.cli.run import check_job
from inplace_lsp.config import DEFAULT
from inplace_lsp.engine import analyse_source
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.interpret.entries import budget
from inplace_lsp.interpret.state.mro import merge_lineages
from inplace_lsp.report.formats import FORMATS
from inplace_lsp.report.outcome import Outcome

Result = TypeVar("Result")
MILLION = 1_000_000
END = "y = C{last}().m(torch.rand(3, requires_grad=True))\ny.add_(1)\ny.sum().backward()\n"


def _profile(work: Callable[..., Result], *given: object) -> tuple[Result, int]:
    """Return what `work` returns, and how many function calls it took."""
    profile = Profile()
    result = profile.runcall(work, *given)
    return result, sum(entry.callcount for entry in profile.getstats())


def _analyse(text: str) -> tuple[Sequence[Finding], int]:
    """Return the findings of a program, and how many function calls they took."""
    analysis, calls = _profile(analyse_source, text, "/deep.py")
    return analysis.findings, calls


def test_five_hundred_classes_each_heir_of_the_one_before():
    text = "import torch\nclass C0:\n    def m(self, x):\n        return x.exp()\n"
    text += "".join(f"class C{number}(C{number - 1}):\n    pass\n" for number in range(1, 500))
    found, calls = _analyse(text + END.format(last=499))
    assert [finding.code for finding in found] == ["IP101"]
    assert calls < 10 * MILLION


def test_two_hundred_constructors_each_calling_the_one_above():
    text = "import torch\nclass C0(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    for number in range(1, 200):
        text += f"class C{number}(C{number - 1}):\n    def __init__(self):\n        super().__init__()\n"
        text += "        self.layer = torch.nn.Linear(2, 2)\n"
    text += "    def m(self, x):\n        y = x.exp()\n        y.add_(1)\n        y.sum().backward()\n"
    found, calls = _analyse(text)
    assert [(finding.code, finding.function) for finding in found] == [("IP101", "C199.m")]
    assert calls < 10 * MILLION


def test_fifty_functions_that_call_each_other():
    text = "import torch\n"
    for number in range(50):
        text += f"def f{number}(x, n):\n"
        for other in range(1, 6):
            text += "    x = (x.exp() + x.view(-1).sigmoid()).reshape(x.shape)\n    x[0].mul_(2)\n"
            text += f"    if n > {other}:\n        x = x + f{(number * 7 + other) % 50}(x, n - 1)\n"
        text += "    return x\n"
    text += "def g(x):\n    y = x.exp()\n    y.add_(1)\n    y.sum().backward()\n"
    found, calls = _analyse(text)
    assert [finding.code for finding in found if finding.function == "g"] == ["IP101"]
    assert calls < 20 * MILLION


def test_two_thousand_findings_on_one_tape():
    lines = "x = torch.rand(3, requires_grad=True)\ny = x.exp()\ny.add_(1)\ny.sum().backward()\n"
    found, calls = _analyse("import torch\n" + lines * 2000)
    assert len(found) == 2000
    assert calls < 10 * MILLION


def test_a_hundred_diamonds_one_upon_the_other():
    text = "import torch\nclass C0:\n    def m(self, x):\n        return x.exp()\nclass D0(C0):\n    pass\n"
    for number in range(1, 100):
        text += f"class C{number}(D{number - 1}):\n    pass\nclass D{number}(C{number}, D{number - 1}):\n    pass\n"
    found, calls = _analyse(text + END.format(last=99))
    assert [finding.code for finding in found] == ["IP101"]
    assert calls < 5 * MILLION


def test_the_nearest_of_two_bases_comes_before_what_both_inherit():
    program = """import torch
class A:
    def m(self, x):
        return x + 1
class B(A):
    pass
class C(A):
    def m(self, x):
        return x.exp()
class D(B, C):
    pass
y = D().m(torch.rand(3, requires_grad=True))
y.add_(1)
y.sum().backward()
"""
    assert [finding.code for finding in analyse_source(program, "/diamond.py").findings] == ["IP101"]


@pytest.mark.parametrize(
    ("bases", "lineages", "merged"),
    [
        ("", [], ""),
        ("A", ["AO"], "AO"),
        ("BC", ["BAO", "CAO"], "BCAO"),
        ("AB", ["ABO", "BAO"], "ABO"),  # Python refuses it
        ("KLM", ["KDABO", "LDBO", "MEO"], "KLDABMEO"),
    ],
)
def test_orders_are_merged_as_python_merges_them(bases: str, lineages: list[str], merged: str):
    assert "".join(merge_lineages(tuple(bases), [tuple(lineage) for lineage in lineages])) == merged


def test_the_merge_is_that_of_python():
    class O: ...  # noqa: E742

    class A(O): ...

    class B(O): ...

    class D(A, B): ...

    class E(B): ...

    class F(D, E): ...

    assert merge_lineages((D, E), [D.__mro__, E.__mro__]) == list(F.__mro__[1:])


FUNCTION = "def f{0}(x):\n    y = x.exp()\n    y.add_(1)\n    return y\n"
LINK = "def f{0}(x):\n    y = f{1}(x).exp()\n    y.add_(1)\n    return y\n"
CLASS = """\
class C{0}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 3)
        self.c = {2}
    def forward(self, x):
        y = self.l(x).exp()
        y.add_(1)
        return y
"""
BRANCH = "    if a == {0}: y = y * {0}\n"


def _many_functions(count: int) -> str:
    return "import torch\n" + "".join(FUNCTION.format(number) for number in range(count))


def _chain_of_functions(count: int) -> str:
    links = "".join(LINK.format(number, number + 1) for number in range(count))
    return f"import torch\n{links}def f{count}(x):\n    return x\n"


def _flat_classes(count: int) -> str:
    return "import torch\n" + "".join(CLASS.format(number, number + 1, None) for number in range(count))


def _classes_that_each_build_the_next(count: int) -> str:
    built = "".join(CLASS.format(number, number + 1, f"C{number + 1}() if x else None") for number in range(count))
    return f"import torch\n{built}"


def _branches(count: int) -> str:
    tests = "".join(BRANCH.format(number) for number in range(count))
    return f"import torch\ndef f(x, a):\n    y = x.exp()\n{tests}    y.add_(1)\n    return y\n"


@pytest.mark.parametrize(
    ("program", "count", "most"),
    [
        (_many_functions, 500, 2.4),
        (_chain_of_functions, 60, 3.0),
        (_flat_classes, 100, 2.5),
        (_classes_that_each_build_the_next, 40, 3.0),
        (_branches, 125, 3.0),
    ],
)
def test_twice_the_program_is_hardly_more_than_twice_the_work(program: Callable[[int], str], count: int, most: float):
    _analyse(program(2))  # what is loaded once
    (_, once), (_, twice) = _analyse(program(count)), _analyse(program(2 * count))
    assert twice < most * once, f"{twice / once:.2f} times {once} calls"


def test_a_file_has_a_budget_that_cuts_its_largest_functions_and_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(budget, "STEPS_OF_FILE", 4_000)
    large = "".join(f"    if a.b{number} == 1: y = y * x.exp()\n" for number in range(300))
    text = "import torch\n"
    for number in range(6):
        text += f"def large{number}(x, a):\n    y = x.exp()\n{large}    y.add_(1)\n    return y\n"
        text += FUNCTION.format(number)
    analysis = analyse_source(text, "/large.py")
    found = {finding.function for finding in analysis.findings}
    assert {f"f{number}" for number in range(6)} <= found
    cut = [gap for gap in analysis.gaps if gap.reason.endswith("have spent most of the file's budget")]
    assert {gap.function for gap in cut} <= {f"large{number}" for number in range(1, 6)}
    assert "large5" in {gap.function for gap in cut}


def _check(text: str) -> int:
    """Return how many function calls the check of a program takes, with all that a report says about its findings."""
    job = Job("/deep.py", DEFAULT, text=text)
    report, calls = _profile(check_job, job)
    outcome = Outcome(report.findings, {"/deep.py": text.split("\n")}, "/", "/", ["/deep.py"], [], {})
    return calls + _profile(FORMATS["full"].write, outcome, StringIO())[1]


@pytest.mark.parametrize(("program", "count"), [(_many_functions, 100), (_classes_that_each_build_the_next, 40)])
def test_what_is_said_about_twice_the_findings_is_hardly_more_than_twice_the_work(
    program: Callable[[int], str], count: int
):
    _check(program(2))  # what is loaded once
    once, twice = _check(program(count)), _check(program(2 * count))
    assert twice < 3.0 * once, f"{twice / once:.2f} times {once} calls"


def test_a_file_has_a_limit_beyond_which_functions_are_named_and_not_executed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(budget, "COST_OF_FILE", 4_000)
    analysis = analyse_source(_many_functions(50), "/many.py")
    found = [finding.function for finding in analysis.findings]
    named = [gap for gap in analysis.gaps if gap.reason.startswith("not executed")]
    assert found == [f"f{number}" for number in range(len(found))]
    assert len(found) >= 20
    assert [gap.function for gap in named] == [f"f{number}" for number in range(len(found), 50)]
    assert all(gap.cut and gap.reason.endswith("have spent most of the file's budget") for gap in named)
    assert all(place.row == gap.place.row + 2 for gap in named for place in gap.unreached)
    assert all(gap.unreached for gap in named)


def test_before_that_limit_the_largest_functions_are_cut(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(budget, "COST_OF_FILE", 12_000)
    monkeypatch.setattr(budget, "RESERVED", 160)
    large = "".join(f"    if a.b{number} == 1: y = y * x.exp()\n" for number in range(300))
    text = "import torch\n"
    for number in range(20):
        text += f"def large{number}(x, a):\n    y = x.exp()\n{large}    y.add_(1)\n    return y\n"
        text += FUNCTION.format(number)
    analysis = analyse_source(text, "/large.py")
    assert {f"f{number}" for number in range(20)} <= {finding.function for finding in analysis.findings}
    assert "large19" in {gap.function for gap in analysis.gaps if gap.cut}
    assert not [gap for gap in analysis.gaps if gap.function.startswith("f")]


def test_a_file_that_is_cut_is_after_an_edit_what_it_is_at_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(budget, "COST_OF_FILE", 4_000)
    text = _many_functions(50)
    for number in (3, 45, 49):
        engine.forget_files()
        analyse_source(text, "/many.py", last=Analysis())
        edited = text.replace(f"def f{number}(x):\n", f"def f{number}(x):\n    x = x * 2\n    x = x.sin()\n")
        again = analyse_source(edited, "/many.py", last=Analysis(), early=lambda _: None)
        engine.forget_files()
        fresh = analyse_source(edited, "/many.py")
        assert again.findings == fresh.findings
        assert again.gaps == fresh.gaps


def _make_module_with_options(members: int) -> str:
    """Return a module whose class takes four steps for each of its members, and has options with a write each."""
    names = [f"o{number}" for number in range(12)]
    parts = [
        "import torch\nclass Net(torch.nn.Module):\n",
        *(f"    W{number} = {number} * 2\n" for number in range(members)),
        f"    def __init__(self, {', '.join(f'{name}=False' for name in names)}):\n        super().__init__()\n",
        *(f"        self.{name} = {name}\n" for name in names),
        "    def forward(self, x):\n        y = x.exp()\n",
        *(f"        if self.{name}:\n            return y.relu_()\n" for name in names),
        "        return y\n",
    ]
    return "".join(parts)


@pytest.mark.parametrize(("members", "least"), [(100, 12), (500, 6), (850, 2)])
def test_an_object_that_takes_more_steps_than_are_left_costs_no_finding(members: int, least: int):
    analysis = analyse_source(_make_module_with_options(members), "/options.py")
    assert not [gap for gap in analysis.gaps if gap.cause is Cause.FAULT]
    assert len(analysis.findings) >= least
