"""An internal error costs one function: the others are judged, and the answer names it. And programs that had one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.commandline import inplace_lsp
from inplace_lsp import engine, outcomes, severity
from inplace_lsp.analysis import Analysis, Cause
from inplace_lsp.cli import check_once, run
from inplace_lsp.files.read import UnreadableError, read_source_file
from inplace_lsp.fixes import offer
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.interpret.entries import entries, fixtures
from inplace_lsp.interpret.python.library import find_intrinsics
from inplace_lsp.offers import prove
from inplace_lsp.project import check_text
from inplace_lsp.report import neighbours
from inplace_lsp.report.formats import FORMATS, Format

FILE = "/somewhere/program.py"
TEXT = """\
import torch

TABLE = {"a": 1}


def good(x):
    y = x.exp()
    y.add_(1)
    return y


def bad(x):
    y = x.sigmoid()
    y.add_(1)
    return y


class Layer(torch.nn.Module):
    def forward(self, x):
        y = x.tanh()
        y.add_(1)
        return y
"""


def faults(analysis: Analysis) -> list[str]:
    """The functions that an internal error has cost."""
    return [gap.function for gap in analysis.gaps if gap.cause is Cause.FAULT]


def rows(analysis: Analysis) -> list[int]:
    return [finding.span.row for finding in analysis.findings]


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_MEMORY", engine.AnalysisMemory())


def failing(plain: Callable[..., Any], is_meant: Callable[..., bool]) -> Callable[..., Any]:
    def fail(*arguments: Any, **named: Any) -> Any:
        if is_meant(*arguments, **named):
            raise IndexError("oops " * 1000)
        return plain(*arguments, **named)

    return fail


STAGES = {
    "running": (outcomes, "run_function", lambda entry, *_, **__: entry.name == "bad"),
    "one path": (entries, "record_run", lambda outcome, *_: outcome.function == "bad"),
    "judging": (outcomes, "judge_outcome", lambda outcome, *_: outcome.function == "bad"),
    "an object": (fixtures, "make_object", lambda *_: True),
    "severity": (severity, "_weigh_finding", lambda finding, *_: finding.function == "bad"),
}


@pytest.mark.parametrize("stage", STAGES)
def test_an_error_at_a_stage_costs_one_function(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name, is_meant = STAGES[stage]
    monkeypatch.setattr(owner, name, failing(getattr(owner, name), is_meant))
    analysis = engine.analyse_source(TEXT, FILE)
    lost = "Layer.forward" if stage == "an object" else "bad"
    assert faults(analysis) == [lost]
    assert {8, 14, 21} - set(rows(analysis)) <= {21 if stage == "an object" else 14}
    (gap,) = (gap for gap in analysis.gaps if gap.cause is Cause.FAULT)
    assert gap.reason.startswith("internal error: IndexError: oops")
    assert len(gap.reason) < 400


def test_an_error_in_the_program_costs_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "run_program", failing(outcomes.run_program, lambda *_: True))
    analysis = engine.analyse_source(TEXT, FILE)
    assert (faults(analysis), rows(analysis)) == (["<module>"], [8, 14, 21])


@pytest.mark.parametrize("name", ["recall", "find_rebinding"])
def test_an_error_in_what_is_remembered_costs_time_only(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.analyse_source(TEXT, FILE)
    monkeypatch.setattr(engine.AnalysisMemory, name, failing(lambda *_: None, lambda *_: True))
    analysis = engine.analyse_source(TEXT.replace('"a"', '"b"') + "\n", FILE)
    assert (faults(analysis), rows(analysis)) == ([], [8, 14, 21])


def test_an_error_where_an_edited_table_is_observed_costs_time_only(monkeypatch: pytest.MonkeyPatch) -> None:
    engine.analyse_source(TEXT, FILE)
    monkeypatch.setattr(outcomes, "observe_unit", failing(outcomes.observe_unit, lambda *_: True))
    analysis = engine.analyse_source(TEXT.replace('"a"', '"b"'), FILE)
    assert (faults(analysis), rows(analysis)) == ([], [8, 14, 21])


def test_an_error_where_findings_are_merged_costs_those_of_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_meant(found: Any) -> bool:
        return any(finding.function == "bad" for finding in found)

    monkeypatch.setattr(severity, "merge_findings", failing(severity.merge_findings, is_meant))
    analysis = engine.analyse_source(TEXT, FILE)
    assert (faults(analysis), rows(analysis)) == (["bad"], [8, 21])


def test_an_error_where_conditions_are_told_costs_the_conditions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(severity, "append_conditions", failing(severity.append_conditions, lambda *_: True))
    assert rows(engine.analyse_source(TEXT, FILE)) == [8, 14, 21]


def test_what_failed_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(outcomes, "run_function", failing(outcomes.run_function, STAGES["running"][2]))
        assert faults(engine.analyse_source(TEXT, FILE)) == ["bad"]
    assert faults(engine.analyse_source(TEXT, FILE)) == []


HUGE = "10 ** 30"
EXPRESSIONS = [
    f"for i in range({HUGE}): break",
    f"for i in reversed(range({HUGE})): break",
    f"for i, j in zip(range({HUGE}), enumerate(range(-{HUGE}, {HUGE}, 3))): break",
    f"z = len(range({HUGE}))",
    f"z = [i for i in range({HUGE})]",
    f"z = range({HUGE})[{HUGE}], sum(range({HUGE})), sorted(range({HUGE})), 3 in range({HUGE})",
    f"z = [1].insert({HUGE}, 1)",
    f"z = [1].insert(-{HUGE}, 1)",
    f"z = collections.deque([1]).insert({HUGE}, 1)",
    f"z = torch.nn.ModuleList([torch.nn.ReLU()]).insert({HUGE}, torch.nn.ReLU())",
    f"z = [1, 2][{HUGE}], [1, 2][-{HUGE}:{HUGE}], 'a' * {HUGE}, [1] * {HUGE}",
    f"z = [1].pop({HUGE})",
    f"z = x.narrow(0, {HUGE}, 1), x.view({HUGE}), x.expand({HUGE}, {HUGE}), x.sum({HUGE}), x.split({HUGE})",
    f"z = torch.zeros({HUGE}, {HUGE}), torch.arange({HUGE}), x.unsqueeze({HUGE}), x.transpose({HUGE}, 1)",
    f"z = chr({HUGE}), float({HUGE} ** 30), 1.0 * {HUGE} ** 30, 1 << 4000, divmod({HUGE}, 0), int(1e400)",
    f"z = einops.rearrange(x, 'a {'9' * 5000} -> a')",
    f"z = 0x{'f' * 5000}",
]


@pytest.mark.parametrize("statement", EXPRESSIONS, ids=lambda statement: statement[:40])
def test_large_numbers(statement: str) -> None:
    text = f"""\
import collections
import einops
import torch


def f(x):
    {statement}
    return x


def g(x):
    y = x.exp()
    y.add_(1)
    return y
"""
    analysis = check_text(text, FILE)
    assert (faults(analysis), rows(analysis)) == ([], [13])


def test_one_text_a_thousand_times() -> None:
    function = "def f(x):\n    y = torch.exp(x)\n    y.mul_(2)\n    return y.sum().backward()\n"
    driver = "class Net(lightning.LightningModule):\n    def training_step(self, batch):\n        return batch\n"
    analysis = check_text(f"import torch\nimport lightning\n{function * 1000}{driver * 200}", FILE)
    assert faults(analysis) == []
    assert rows(analysis) == [5 + 4 * 999]  # the others can no longer be called
    again = check_text(f"import torch\nimport lightning\n{function * 999}{driver * 200}", FILE)
    assert rows(again) == [5 + 4 * 998]


REPLAYED = """\
import torch


class Choices:
    def __init__(self, names, default=None):
        self.default = default
        if default is None:
            self.scale = torch.ones(2).exp_()


FIRST = Choices({"a": 1}, "a")
SECOND = Choices({"b": 2}, "a")


def f(x, args):
    y = x.exp()
    if args.one:
        y = y * 2
    if args.two:
        y = y * 3
    table = FIRST if args.three else FIRST
    if args.four:
        table = FIRST
        table = SECOND
        y.add_(1)
    return y


def g(x):
    table = SECOND
    y = x.exp()
    y.add_(1)
    return y
"""


def test_a_table_that_is_bound_again_skips_code_for_decisions_of_its_own_alone() -> None:
    """What `SECOND` skipped for a decision of `f` was held against the decisions of `g`, which has none."""
    analysis = check_text(REPLAYED, FILE)
    assert (faults(analysis), rows(analysis)) == ([], [25, 32])


def test_bytes_on_the_line_of_the_encoding(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    for data in (b"# -*- coding: latin-1 -*- \xe9\nx = '\xe9'\n", b"#!\xe9\n# coding: cp1252 \xe9\n"):
        file.write_bytes(data)
        assert "é" in read_source_file(str(file))
        compile(data, "a.py", "exec")  # Python runs it, too
    for data in (
        b"# coding: utf-8 \xe9\n",
        b"# \xe9\n",
        b"\n\n# coding: latin-1 \xe9\n",
        b"x = 1 # \xe9 coding: latin-1\n",
    ):
        file.write_bytes(data)
        with pytest.raises(UnreadableError):
            read_source_file(str(file))


REPAIRED = """\
import torch


def good(x):
    y = x.exp()
    y.add_(1)
    return y.sum().backward()


def bad(x):
    y = x.sigmoid()
    y.add_(1)
    return y.sum().backward()
"""
LAYERS = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm2d(3)
        self.act = torch.nn.ReLU()

    def forward(self, x):
        y = x.exp()
        y.add_(1)
        return self.act(self.norm(x)) * y
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two files with a finding in `good`; the second has one in `bad`, too."""
    texts = {"a.py": REPAIRED.partition("\n\n\ndef bad")[0] + "\n", "b.py": REPAIRED}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in texts]


def is_bad(*arguments: Any, **_: Any) -> bool:
    return any(getattr(argument, "function", "") == "bad" for argument in arguments)


AFTER_ANALYSIS = {
    "the search for repairs": (offer, "propose_candidates"),
    "a repair's proof": (offer, "repairs_finding"),
    "what to do about it": (run, "add_advice"),
}


@pytest.mark.parametrize("stage", AFTER_ANALYSIS)
@pytest.mark.parametrize("options", [("--show-fixes",), ("--fix",)], ids=" ".join)
def test_an_error_after_the_analysis_costs_one_function(
    stage: str, options: tuple[str, ...], files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, name = AFTER_ANALYSIS[stage]
    monkeypatch.setattr(owner, name, failing(getattr(owner, name), is_bad))
    result = inplace_lsp("check", "--no-cache", "--output-format", "json-lines", *options, *files)
    if options == ("--fix",):
        fixed = [Path(file).read_text() for file in files]
        assert all("y = x.exp()\n    y = y.add(1)" in text for text in fixed)
        assert ("y.add_(1)" in fixed[1]) == (owner is offer)
    else:
        assert result.stdout.count('"code": "IP101"') == 3
    if options != ("--fix",) or owner is offer:
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1 + (options == ("--fix",))
        assert "b.py: internal error: IndexError: oops" in result.stderr
        assert "(in `bad`)" in result.stderr


def test_an_error_in_the_search_for_offers_costs_the_offers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "net.py"
    file.write_text(LAYERS)
    command = ("check", "--no-cache", "--suggest", "--output-format", "concise", file)
    assert "[IP501]" in inplace_lsp(*command).stdout
    monkeypatch.setattr(prove, "choose_applicable", failing(prove.choose_applicable, lambda *_: True))
    result = inplace_lsp(*command)
    assert ("[IP101]" in result.stdout, "[IP501]" in result.stdout, result.exit_code) == (True, False, 2)
    assert "(in `the search for ops that may write in place`)" in result.stderr


@pytest.mark.parametrize("form", sorted({form.module: name for name, form in FORMATS.items()}.values()))
def test_an_error_in_a_format_costs_the_findings_that_it_cannot_write(
    form: str, files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = inplace_lsp("check", "--no-cache", "--output-format", form, *files)
    plain = Finding.__getattribute__

    def fail(finding: Finding, name: str) -> Any:
        if name in ("code", "message") and plain(finding, "function") == "bad" and writing:
            raise IndexError("oops")
        return plain(finding, name)

    writing: list[str] = []
    write = Format.write

    def write_in_vain(wanted: Format, *arguments: Any) -> None:
        writing.append(wanted.module)
        try:
            write(wanted, *arguments)
        finally:
            writing.pop()

    monkeypatch.setattr(Format, "write", write_in_vain)
    monkeypatch.setattr(Finding, "__getattribute__", fail)
    result = inplace_lsp("check", "--no-cache", "--output-format", form, *files)
    monkeypatch.undo()
    assert "`sigmoid` on" in whole.stdout
    assert whole.stdout.count("`exp` on") == result.stdout.count("`exp` on") > 0
    assert ("`sigmoid` on" in result.stdout, result.exit_code) == (False, 2)
    assert "b.py:12: IP101: internal error: IndexError at " in result.stderr


def test_an_error_where_files_are_put_together_costs_only_that(
    files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_once, "settle_findings", failing(check_once.settle_findings, lambda *_: True))
    result = inplace_lsp("check", "--no-cache", "--output-format", "concise", *files)
    assert (result.stdout.count(": warning[IP101]"), result.exit_code) == (3, 2)
    assert result.stderr.count("what several files say together: internal error: IndexError at ") == 1


def test_an_error_in_what_may_stay_beside_a_finding_costs_those_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "beside.py"
    file.write_text(REPAIRED.replace("    return", "    z = x + 1\n    z.mul_(2)\n    z.sum().backward()\n    return"))
    command = ("check", "--no-cache", "--output-format", "json-lines", file)
    whole = inplace_lsp(*command)
    plain = neighbours.add_neighbours
    monkeypatch.setattr(neighbours, "add_neighbours", failing(plain, is_bad))
    result = inplace_lsp(*command)
    assert result.stdout.count('"code": "IP101"') == whole.stdout.count('"code": "IP101"') > 1
    assert (whole.stdout.count("may stay"), result.stdout.count("may stay"), result.exit_code) == (2, 1, 2)
    assert result.stderr.count("internal error: IndexError: oops") == 1
    assert "(in `bad`)" in result.stderr


@pytest.mark.parametrize("name", ["make_facts", "find_packages", "read_source"])
def test_an_error_around_the_analysis_costs_one_file(
    name: str, files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([True])
    monkeypatch.setattr(run, name, failing(getattr(run, name), lambda *_: next(times, False)))
    result = inplace_lsp("check", "--no-cache", "--output-format", "concise", *files)
    assert (result.stdout.count(": warning[IP101]"), result.exit_code) == (2, 2)
    assert "a.py: internal error: IndexError at " in result.stderr


RECEIVERS = ("x", "y, x", "[x]", "None", "'a'", "*x", "**y", "lambda: x", "torch.nn.Linear(1, 1)")


@pytest.mark.parametrize("arguments", RECEIVERS)
def test_no_library_function_fails_on_what_it_cannot_take(arguments: str) -> None:
    """Each intrinsic is called with a parameter, a list, None, a text, a module: by its name, methods by their class's.
    Python may refuse it; the function is analysed all the same."""
    calls = [f"    {name.removeprefix('builtins.')}({arguments})\n" for name in sorted(find_intrinsics())]
    assert len(calls) > 500
    modules = {name.partition(".")[0] for name in find_intrinsics()} - {"builtins"}
    head = "".join(f"import {module}\n" for module in sorted(modules))
    functions = "".join(
        f"\ndef f{at}(x, y: torch.Tensor):\n{call}    y.add_(1)\n    y.sum().backward()\n"
        for at, call in enumerate(calls)
    )
    found = engine.analyse_source(f"{head}import inplace_lsp.modelling\n{functions}", FILE)
    assert [(calls[int(gap.function[1:])].strip(), gap.reason) for gap in found.gaps if gap.cause is Cause.FAULT] == []


@pytest.mark.parametrize("strides", ["[part.stride(0), *rest(part)]", "(1,)", "(3, 1, 1)", "unknown"])
def test_strides_that_are_not_known_or_do_not_fit(strides: str) -> None:
    text = STRIDED.replace("STRIDES", strides)
    found = engine.analyse_source(text, FILE)
    assert (faults(found), rows(found)) == ([], [7])


STRIDED = """\
import torch


def f(x, rest, unknown):
    part = torch.zeros(2, 3)
    y = x.exp()
    y.add_(1)
    return y.sum() + part.as_strided((2, 3), STRIDES).sum()
"""
VJP = """\
import torch


def f(self, operator, x: torch.Tensor, v):
    y = x.exp()
    y.add_(1)
    _, back = torch.func.vjp(operator, x)
    return y + back(v)[0]
"""


@pytest.mark.parametrize("operator", ["operator", "self.operator"])
def test_a_transform_of_a_tensor_that_is_not_in_sight(operator: str) -> None:
    text = VJP.replace("torch.func.vjp(operator", f"torch.func.vjp({operator}")
    found = engine.analyse_source(text, FILE)
    assert (faults(found), rows(found)) == ([], [6])
