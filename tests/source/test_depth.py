"""Text that would end or stall the parser is refused before it is parsed; what people write is not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import inplace_lsp
from inplace_lsp.engine import analyse_source
from inplace_lsp.source.depth import is_nested_too_deeply

DEEP = {
    "parentheses": lambda n: "(" * n + "1" + ")" * n,
    "open brackets": lambda n: "[" * n,
    "minus": lambda n: "-" * n + "1",
    "plus": lambda n: "1 + " * n + "1",
    "power": lambda n: "2**" * n + "1",
    "calls": lambda n: "y" + ".exp()" * n,
    "calls in calls": lambda n: "f(" * n + ")" * n,
    "subscripts": lambda n: "y" + "[0]" * n,
    "attributes": lambda n: "y" + ".T" * n,
    "lambda": lambda n: "lambda: " * n + "0",
    "not": lambda n: "not " * n + "0",
    "condition": lambda n: "1 if a else " * n + "0",
    "comparison": lambda n: "a < " * n + "0",
    "strings": lambda n: "'a' " * n,
    "dictionaries": lambda n: "{0: " * n + "1" + "}" * n,
    "f-strings": lambda n: "f'{" * n + "1" + "}'" * n,
    "walrus": lambda n: "(y := " * n + "1" + ")" * n,
    "comprehension": lambda n: "[a " + "for a in b " * n + "]",
}
PATTERNS = {"sequence": "[]", "mapping": ("{1: ", "}"), "class": ("A(", ")"), "group": ("(", "1)")}


@pytest.mark.parametrize("kind", DEEP)
@pytest.mark.parametrize("depth", [10, 190, 1000, 20_000])
def test_nested_expressions_end_in_an_answer(kind: str, depth: int):
    text = "import torch\nx = " + DEEP[kind](depth) + "\n"
    if depth == 10:
        assert not is_nested_too_deeply(text)
    started = time.process_time()
    analyse_source(text, "/a.py")
    assert time.process_time() - started < 5


@pytest.mark.parametrize("kind", DEEP)
def test_what_would_end_or_stall_libcst_is_refused(kind: str):
    assert is_nested_too_deeply("x = " + DEEP[kind](3000) + "\n")


def test_functions_with_many_branches_each():
    assert not is_nested_too_deeply(("def f(x):\n    if x: pass\n" + "    elif y: pass\n" * 150) * 5)


@pytest.mark.parametrize("kind", PATTERNS)
@pytest.mark.parametrize("depth", [3, 7, 40])
def test_nested_patterns_end_in_an_answer(kind: str, depth: int):
    before, after = PATTERNS[kind]
    text = f"import torch\nmatch x:\n    case {before * depth}{after * depth}:\n        pass\n"
    assert is_nested_too_deeply(text) is (depth > 7)
    analyse_source(text, "/a.py")


@pytest.mark.parametrize("count", [150, 1000, 10_000])
def test_long_chains_of_branches_end_in_an_answer(count: int):
    text = "import torch\nif x:\n    pass\n" + "elif y:\n    pass\n" * count
    assert is_nested_too_deeply(text) is (count > 200)
    analyse_source(text, "/a.py")


def test_the_rest_of_the_file_is_analysed():
    text = (
        "import torch\nw = "
        + "(" * 500
        + "1"
        + ")" * 500
        + """
x = torch.rand(3, requires_grad=True)
y = x.exp()
y.add_(1)
y.sum().backward()
"""
    )
    assert [(finding.span.row, finding.code) for finding in analyse_source(text, "/a.py").findings] == [(5, "IP101")]


@pytest.mark.parametrize(
    "text",
    [
        "x = [" + "-1.5, " * 5000 + "]\n",
        "f(" + "a=g(1) + 2, " * 5000 + ")\n",
        "x = 1; " * 5000 + "\n",
        "x = (\n" + "    # (((((((((\n" * 500 + ")\n",
        "x = '" + "(" * 5000 + "'\n",
        '"""' + "((((" * 5000 + '"""\n',
        "case = f(f(f(f(f(f(f(f(f(1)))))))))\n",
    ],
)
def test_long_is_not_deep(text: str):
    assert not is_nested_too_deeply(text)


def test_our_own_code_is_not_deep():
    for path in Path(inplace_lsp.__file__).parent.rglob("*.py"):
        assert not is_nested_too_deeply(path.read_text(encoding="utf-8")), path
