"""A module whose definitions are parsed when they are asked for is what reading all of it at once makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import inplace_lsp
from inplace_lsp.interpret.python.bindings import find_binding_units, find_star_imports
from inplace_lsp.source.module_units import UnreadUnit, read_module
from inplace_lsp.source.units import read_source
from source.shape import shape

TEXTS = {
    "all kinds": '"""Words."""\nimport torch\nfrom math import *\n\nx = 1\n\n\ndef f(a, b=x):\n    return a\n\n\n'
    "class C(Base):\n    y = 2\n\n    def m(self):\n        pass\n\n\nasync def g(): ...\n",
    "decorated": "@one\n@two(3)\ndef f(): ...\n\n@wraps(\n    f\n)\ndef g(): ...\n\n@named('x')\nclass C: ...\n",
    "a definition in a decorator's text": '@says("""\ndef h(): ...\n""")\ndef f(): ...\n',
    "names beyond ASCII": "def naïve(): ...\n\nclass ﬁne: ...\n",
    "more than one statement": "def f(): ...\n\\\nx = 1\ndef g(): ...\n\fy = 2\n",
    "several on a line": "def f(): a = 1; b = 2\nclass C: a = 1; b = 2\nx = 1; y = 2\n",
    "some do not parse": "def f(:\n    pass\n\ndef g(): ...\n\nclass C:\n"
    "    def a(self): return 1\n    def b(self) return\n",
    "a bracket never closed": "def f():\n    return (1,\n\ndef g(): ...\n\nx = 1)\n",
    "a quote never closed": 'def f():\n    return """\n\ndef g(): ...\n',
    "the same name twice": "def f(): ...\n\ndef f(a): ...\n\nif x:\n    def f(b): ...\nelse:\n    f = None\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_is_read_as_a_whole_is(text: str) -> None:
    units, whole = read_module(text), read_source(text).units
    names = {name: [u for u in found if u.statements] for name, found in find_binding_units(units).items()}
    assert {name: [u.row for u in found] for name, found in names.items() if found} == {
        name: [u.row for u in found] for name, found in find_binding_units(whole).items()
    }
    assert find_star_imports(units) == find_star_imports(whole)
    assert [(u.row, shape(u.statements)) for u in units] == [(u.row, shape(u.statements)) for u in whole]


def test_every_file_of_the_package_is_read_as_a_whole_is() -> None:
    for path in sorted(Path(inplace_lsp.__file__).parent.rglob("*.py"))[::7]:
        text = path.read_text()
        assert [shape(u.statements) for u in read_module(text)] == [
            shape(u.statements) for u in read_source(text).units
        ]


def test_definitions_wait() -> None:
    units = read_module("import torch\n\ndef f():\n    return 1\n")
    assert [isinstance(unit, UnreadUnit) for unit in units] == [False, True]
    assert units[1].statements is units[1].statements
