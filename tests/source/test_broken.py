"""Text that is no Python: every unit that is stays."""

from __future__ import annotations

import itertools
import random
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inplace_lsp.source import ir
from inplace_lsp.source.units import Source, normalise_text, read_source
from source.shape import nodes, samples


def functions(source: Source) -> set[str]:
    return {
        node.name
        for unit in source.units
        for node in nodes(unit.statements)
        if isinstance(node, ir.FunctionDef | ir.ClassDef)
    }


@given(st.text())
def test_any_text_can_be_read(text: str):
    read_source(text)


@given(st.text(alphabet="x=()[]{}:'\"\\#\n \t\f\r\0@*,.1\ud800\ufeff;"))
def test_any_text_of_marks_can_be_read(text: str):
    read_source(text)


def test_the_other_functions_stay():
    source = read_source(
        "def a():\n    pass\n\ndef b():\n    x = = 1\n\nclass C:\n    def c(self): pass\n\ndef d(:\n    pass\n"
    )
    assert functions(source) == {"a", "C", "c"}
    assert [(part.name, part.row, part.end_row) for part in source.broken] == [("def b", 4, 5), ("def d", 10, 11)]
    assert all(part.reason.startswith("syntax error") for part in source.broken)


CLASS = """import torch

@decorated
class Model(nn.Module):
    \"\"\"What it is.\"\"\"

    size = 3

    def good(self, x):
        return x.exp_()

    @property
    def bad(self, x):
        y = x.
        return y

    async def also_good(self):
        # comment
        return 1


def after():
    pass
"""


def test_the_other_methods_stay():
    source = read_source(CLASS)
    assert functions(source) == {"Model", "good", "also_good", "after"}
    assert [(part.name, part.row, part.end_row, part.stopped) for part in source.broken] == [("def bad", 12, 15, 14)]
    rows = {
        node.name: node.place[0] + unit.row - 1
        for unit in source.units
        for node in nodes(unit.statements)
        if isinstance(node, ir.FunctionDef | ir.ClassDef)
    }
    assert rows == {"Model": 4, "good": 9, "also_good": 17, "after": 22}


@pytest.mark.parametrize("odd", ["\x0c", "\x1c", "\u2028"])
def test_characters_that_end_no_line_cost_no_method(odd: str):
    source = read_source(f"class A:\n    def f(self):\n        return '{odd}'\n    def g(self:\n        pass\n")
    assert functions(source) == {"A", "f"}
    assert [(part.name, part.row, part.end_row) for part in source.broken] == [("def g", 4, 5)]


def test_a_broken_last_method():
    source = read_source("class A:\n    def f(self):\n        pass\n\n    def g(self):\n        if x.\n")
    assert functions(source) == {"A", "f"}


def test_a_class_indented_by_tabs():
    source = read_source("class A:\n\tdef f(self):\n\t\tpass\n\n\tdef g(self:\n\t\tpass\n\n\tdef h(self):\n\t\tpass\n")
    assert functions(source) == {"A", "f", "h"}


def test_a_string_that_is_not_closed_costs_one_function():
    source = read_source(
        "def a():\n    pass\n\ndef b():\n    '''\n    text\n\ndef c():\n    pass\n\nx = 'abc\n\ndef d():\n    pass\n"
    )
    assert functions(source) == {"a", "c", "d"}


def test_a_bracket_that_is_not_closed_costs_one_function():
    source = read_source(
        "def a():\n    f(x, [1\n\ndef b():\n    pass\n\nclass C:\n    x = (\n\n    def c(self):\n        pass\n"
    )
    assert "b" in functions(source)
    assert "C" in functions(source)


@pytest.mark.parametrize(
    "text", ["", "\n", "#", "   ", "\f", "\ufeff", "\\", "# only\n# comments", '"""doc"""', "\ufeff# -*-\n"]
)
def test_next_to_nothing(text: str):
    source = read_source(text)
    assert [part for part in source.broken if text != "\\"] == []


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_do_not_matter(end: str):
    source = read_source(CLASS.replace("\n", end))
    assert functions(source) == functions(read_source(CLASS))
    assert source.broken == read_source(CLASS).broken


@pytest.mark.parametrize("opening", ["(", "[", "{", "-", "not ", "f(", "lambda: ", "a.", "a[", "a+", "x if y else "])
@pytest.mark.parametrize("count", [90, 1_000, 100_000])
@pytest.mark.parametrize("more", ["", "\ntype X = 1", "\n= = 1"])
def test_deep_nesting_costs_one_statement(opening: str, count: int, more: str):
    """Not the process: libcst's parser would exhaust the stack."""
    text = f"def a():\n    pass\n\nx = {opening * count}1{more}\n\ndef b():\n    pass\n"
    assert functions(read_source(text)) == {"a", "b"}


def test_warnings_of_the_parser_are_not_for_the_user():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_source("x = '\\d' '\\q'\ny = 1if x else 2\nz = x is 1\n").broken == ()


@pytest.mark.parametrize("path", samples()[::3], ids=lambda path: path.name)
def test_half_typed_files(path):
    """A file cut off anywhere keeps every function that was complete and is not the last statement."""
    text = normalise_text(path.read_text(encoding="utf-8"))
    lines = text.split("\n")
    chosen = random.Random(path.name)
    for _ in range(8):
        row = chosen.randrange(len(lines))
        cut = lines[row][: chosen.randrange(len(lines[row]) + 1)]
        source = read_source("\n".join([*lines[:row], cut]))
        whole = [unit for unit in read_source(text).units if unit.statements]
        before = [unit for unit, following in itertools.pairwise(whole) if following.row <= row]
        assert functions(Source(tuple(before), ())) <= functions(source)


@pytest.mark.parametrize("path", samples()[1::3], ids=lambda path: path.name)
def test_files_with_a_wrong_line(path):
    text = normalise_text(path.read_text(encoding="utf-8"))
    lines = text.split("\n")
    chosen = random.Random(path.name)
    for _ in range(5):
        row = chosen.randrange(len(lines))
        wrong = chosen.choice(["    x = self.", "x = (", "def f(", "    '''", ")", "class", "if x:", '    y = "', "@"])
        read_source("\n".join([*lines[:row], wrong, *lines[row:]]))
