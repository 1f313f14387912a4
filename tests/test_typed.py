"""What the user sees while a statement is half typed: the rest of the file stays judged as it was."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from inplace_lsp import engine
from inplace_lsp.analysis import Analysis, Cause
from inplace_lsp.interpret.state.facts import NO_FACTS
from inplace_lsp.memory import AnalysisMemory

FILE = "/typed.py"

PROGRAM = """import torch
from torch import nn

NAMES = {
    "small": dict(
        width=3),
    "large": dict(
        width=30),
}


def soften(x):
    y = x.exp()
    double(y)
    return y


def double(t):
    t.mul_(2)
    note(t)
    t.add_(1)


def note(t):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        h = torch.sigmoid(self.linear(x))
        return self.change(h)

    def change(self, h):
        other = h + 1
        h += 1
        return h


x = torch.rand(3, requires_grad=True)
soften(x).sum().backward()
Net()(torch.rand(2, 3)).sum().backward()
"""
WRITES = ["t.mul_(2)", "t.add_(1)", "h += 1"]


def type_texts(texts: Iterable[str]) -> Analysis:
    """Return the analysis of the last of the texts that somebody typed one after the other."""
    found = Analysis()
    for text in texts:
        found = engine.analyse_source(text, FILE, NO_FACTS, found)
    return found


def found_lines(text: str, analysis: Analysis) -> list[str]:
    """Return the lines with an error; the message of each must speak of lines as they are."""
    return [text.split("\n")[finding.span.row - 1].strip() for finding in analysis.findings]


def start_fresh(text: str, last: Analysis | None, monkeypatch: pytest.MonkeyPatch) -> Analysis:
    with monkeypatch.context() as patch:
        patch.setattr(engine, "_MEMORY", AnalysisMemory())
        return engine.analyse_source(text, FILE, NO_FACTS, last)


def test_the_program_has_findings():
    assert found_lines(PROGRAM, type_texts([PROGRAM])) == WRITES


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    note(t)\n", "    note(t\n"),
        ("    note(t)\n", "    note(t).\n"),
        ("    note(t)\n", "    note(t)\n    if t.\n"),
        ("    note(t)\n", "    y = [\n        1,\n\n"),
        ("def note(t):", "def note(t"),
        ("        other = h + 1\n", "        other = h +\n"),
        ("        other = h + 1\n", "        other = (\n        h.\n\n"),
        ("    def __init__(self):", "    def __init__(self"),
        ("class Net(nn.Module):", "class Net(nn.Module"),
        ('    "large": dict(', '    # "large": dict('),
        ("import torch\n", "import torch as\n"),
    ],
)
def test_the_rest_keeps_its_findings(old: str, new: str):
    """Those in the statement's own lines, too, above and below what is being typed."""
    assert old in PROGRAM
    text = PROGRAM.replace(old, new)
    found = type_texts([PROGRAM, text])
    assert found_lines(text, found) == WRITES
    assert [gap.cause for gap in found.gaps] == [Cause.SYNTAX]


def test_a_line_that_changed_has_no_finding():
    """Nobody knows what stands there now."""
    text = PROGRAM.replace("    t.mul_(2)\n", "    t.mul_(2\n")
    assert found_lines(text, type_texts([PROGRAM, text])) == ["t.add_(1)", "h += 1"]


def test_a_deleted_line_has_no_finding():
    text = PROGRAM.replace("    t.mul_(2)\n    note(t)\n", "    note(t\n")
    assert found_lines(text, type_texts([PROGRAM, text])) == ["t.add_(1)", "h += 1"]


def test_letter_by_letter():
    """A new line in a helper: nothing flickers, and once it parses it counts."""
    texts = [PROGRAM]
    for end in range(1, len("t.div_(2)") + 1):
        texts.append(PROGRAM.replace("    note(t)\n", f"    note(t)\n    {'t.div_(2)'[:end]}\n"))
        lines = found_lines(texts[-1], type_texts(texts))
        assert [line for line in lines if line in WRITES] == WRITES
    assert lines == ["t.mul_(2)", "t.div_(2)", "t.add_(1)", "h += 1"]


def test_edits_elsewhere_count_meanwhile():
    broken = PROGRAM.replace("    note(t)\n", "    note(t\n")
    text = "\n\n" + broken.replace("        h += 1\n", "        h = h + 1\n")
    assert found_lines(text, type_texts([PROGRAM, broken, text])) == ["t.mul_(2)", "t.add_(1)"]


def test_another_method_of_the_class_counts_meanwhile():
    broken = PROGRAM.replace("        super().__init__()\n", "        super().__init__(\n")
    text = broken.replace("        other = h + 1\n        h += 1\n", "        h.mul_(2)\n")
    assert found_lines(text, type_texts([PROGRAM, broken, text])) == ["t.mul_(2)", "t.add_(1)", "h.mul_(2)"]


def test_what_never_parsed_means_nothing():
    text = PROGRAM.replace("def double(t):", "def double(t:")
    assert found_lines(text, type_texts([text, "\n" + text, text])) == ["h += 1"]


def test_something_broken_at_the_end_stands_for_nothing():
    text = PROGRAM + "\n\ndef broken(:\n"
    assert found_lines(text, type_texts([PROGRAM, text])) == WRITES


def test_what_is_deleted_means_nothing():
    broken = PROGRAM.replace("    note(t)\n", "    note(t\n")
    deleted = PROGRAM.replace(PROGRAM[PROGRAM.index("def double") : PROGRAM.index("def note")], "")
    assert found_lines(deleted, type_texts([PROGRAM, broken, deleted])) == ["h += 1"]


def test_a_quote_that_is_not_closed_takes_no_finding_away():
    """It takes what stands below it into its statement: all of that keeps its meaning."""
    text = PROGRAM.replace("def note(t):\n", 'def note(t):\n    """\n')
    assert found_lines(text, type_texts([PROGRAM, text])) == WRITES


def test_only_for_a_text_that_is_typed():
    """The command line reads the same text in the same way, whatever it read before."""
    engine.analyse_source(PROGRAM, FILE)
    text = PROGRAM.replace("    note(t)\n", "    note(t\n")
    assert found_lines(text, engine.analyse_source(text, FILE)) == ["h += 1"]


INSERTED = ("\n", " ", "x", "2", "(", ")", "_", "#", '"""', "'", "\n\n", "    t.add_(1)\n", "def ", ":", "]")


@pytest.mark.parametrize("seed", range(8))
def test_random_edits(seed: int, monkeypatch: pytest.MonkeyPatch):
    """Whatever is remembered, the answer is that of a fresh start with the same last meanings; and of one with none,
    once all parses."""
    chance = random.Random(seed)
    text, last = PROGRAM, engine.analyse_source(PROGRAM, FILE, NO_FACTS, Analysis())
    for _ in range(40):
        at = chance.randrange(len(text) + 1)
        if chance.random() < 0.4:
            text = text[:at] + text[at + chance.randrange(12) :]
        else:
            text = text[:at] + chance.choice(INSERTED) + text[at:]
        if chance.random() < 0.2:
            text = PROGRAM
        found = engine.analyse_source(text, FILE, NO_FACTS, last)
        assert found == start_fresh(text, last, monkeypatch), text
        if not any(gap.cause is Cause.SYNTAX for gap in found.gaps):
            assert found == start_fresh(text, None, monkeypatch), text
        last = found
