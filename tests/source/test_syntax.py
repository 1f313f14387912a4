"""Python 3.8 to 3.14, whatever the Python that runs: parsed, and the same by both parsers."""

from __future__ import annotations

import libcst
import pytest

from inplace_lsp.source import ir
from inplace_lsp.source.from_ast import lower_text
from inplace_lsp.source.from_cst import lower_module
from inplace_lsp.source.units import normalise_text, read_source
from source.shape import nodes, of_source, read_statement, samples, shape

OLD = [
    "def f(a, b=1, /, c=2, *d, e, g=3, **h): return a\n",
    "def f(*, a): return *a, 1\n",
    "if (n := len(a)) > 10: print(f'{n=}')\n",
    "x = lambda a=1, *b, c=lambda: 2, **d: (yield)\n",
    "print(*a, sep='', **b)\n",
    "f(*a, b, *c, d=1, **e)\n",
    "a, *b = c, *d = e\n",
    "a[1:2, ..., ::3, None] = -1\n",
    "a[b,] = a[(b, c)] = a[()]\n",
    "x = a < b <= c is not d not in e\n",
    "x = a and b and not c or d\n",
    "x = (a\n  if b else c)\n",
    "del a, (b, c), d[0]\n",
    "for x, *y in *a, b:\n    continue\nelse:\n    break\n",
    "while a:\n    break\nelse:\n    pass\n",
    "with (a as b, c as (d, e), f(),): pass\n",
    "with a, b as c: pass\n",
    "with (yield): pass\n",
    "try:\n    a\nexcept A as b:\n    c\nexcept (D, E):\n    d\nexcept:\n    e\nelse:\n    g\nfinally:\n    h\n",
    "def f():\n    global a, b\n    def g():\n        nonlocal c\n",
    "async def f():\n    async with a as b, c:\n        async for x in y:\n            await z\n",
    "async def f():\n    return [x async for x in y if await x]\n",
    "@a.b(c)\n@(d := e)\nclass A(B, *C, metaclass=D, **E):\n    x: int = 1\n    y: 'str'\n    z: list[int]\n",
    "x = [a for b in c if d if e for f in g]\n",
    "x = {a: b for a, b in c}, {a for a in b}, (a for a in b), f(a for a in b)\n",
    "x = {**a, 'b': 1, **c}, {*a, 1}, [*a], {}\n",
    "x = 'a' 'b', b'a' b'b', 'a' f'{b}' 'c' f'{d}', f'', r'\\d', '\\d'\n",
    "x = f'{a!r:>{b}} {c:%Y} {{}} {d[0]}'\n",
    "x = 0x_ff, 1_000, 1e5, 2j, -3, --4, -0.5, +1, ~1, not 1, ..., None, True, False\n",
    "import a.b.c, d as e\n",
    "from . import a\nfrom ..b.c import (d, e as f,)\nfrom g import *\n",
    "def f():\n    x = yield\n    y = yield a, b\n    yield from c\n    return\n",
    "def f():\n    g = lambda: (yield)\n    def h(): yield\n",
    "raise A from b\n",
    "assert a, b\n",
    "x @= a; x //= b; x **= c; x >>= d; x <<= e; x &= f; x |= g; x ^= h; x %= i; x -= j; x /= k; x *= l; x += m\n",
    "x = a @ b // c ** d % e << f >> g & h | i ^ j - k * l / m + n\n",
    "match a, b:\n"
    "    case 1 | -2 | 'c' | None | 1+2j: pass\n"
    "    case [x, 2, *rest] | (x, *rest) if rest: pass\n"
    "    case {'k': v, A.B: _, **others}: pass\n"
    "    case C(d, e=f) as g: pass\n"
    "    case a.b.c: pass\n"
    "    case [*_]: pass\n"
    "    case x: pass\n",
    "match = case = type = _ = 1\nmatch[case] = type(_)\nprint(match)\n",
    "if a: b; c\n",
    "if a:\n    b\nelif c:\n    d\nelse:\n    e\n",
    "class A: pass\n",
    "a.b.c = d[e].f(g)[h](i)\n",
    "(a) = ((b).c)[(d)] = (e)(f)\n",
]
NEWER = {
    "3.11": [
        "try:\n    a\nexcept* A as b:\n    c\n",
        "a[*b] = c[*d, 1]\n",
        "def f(*args: *A): pass\n",
    ],
    "3.12": [
        "type A[T: int, *Ts, **P] = list[T]\n",
        "def f[T](x: T) -> T: return x\n",
        "class A[T = int](B[T]): pass\n",
        "x = f'{a['b']} {'\\n'.join(c)} {f'{f'{d}'}'}'\n",
        "x = f'''{\n    a  # why\n}'''\n",
    ],
    "3.14": [
        "x = t'{a} {b!r}'\n",
        "try:\n    a\nexcept A, B:\n    c\n",
    ],
}


@pytest.mark.parametrize("text", OLD)
def test_both_parsers_say_the_same(text: str):
    assert shape(lower_text(text)) == shape(lower_module(libcst.parse_module(text)))
    assert read_source(text).broken == ()


@pytest.mark.parametrize("text", [text for texts in NEWER.values() for text in texts])
def test_newer_syntax_is_read_by_any_python(text: str):
    assert read_source(text).broken == ()
    by_libcst = lower_module(libcst.parse_module(text))
    assert shape(by_libcst, places=False) == tuple(part for unit in read_source(text).units for part in _plain(unit))


def _plain(unit) -> tuple[object, ...]:
    return shape(unit.statements, places=False)  # type: ignore[return-value]


@pytest.mark.parametrize("path", samples(), ids=lambda path: path.name)
def test_real_files_are_the_same_by_both_parsers_and_cut_or_whole(path):
    text = normalise_text(path.read_text(encoding="utf-8"))
    whole = shape(lower_text(text))
    assert of_source(read_source(text)) == whole
    if len(text) < 100_000:
        assert shape(lower_module(libcst.parse_module(text))) == whole


def test_names_inside_strings_of_all_kinds():
    for text in ["x = f'{a['b']}'\n", "x = t'{a}{b}'\n", "x = 'c' f'{a.b}' 'd'\n"]:
        found = {node.id for node in nodes(read_statement(text)) if isinstance(node, ir.Name)}
        assert "a" in found


def test_a_generator_is_one_by_its_own_yields():
    outer = read_statement("def f(a=(lambda: (yield))):\n    def g():\n        yield\n    lambda: (yield)\n")
    assert isinstance(outer, ir.FunctionDef)
    assert not outer.is_generator
    assert isinstance(outer.body[0], ir.FunctionDef)
    assert outer.body[0].is_generator
