"""Programs that are long in one direction only: their price grows no faster than they do, much."""

from __future__ import annotations

import time

import pytest

from inplace_lsp.engine import analyse
from inplace_lsp.interpret.state.mro import merge

END = "y = C{last}().m(torch.rand(3, requires_grad=True))\ny.add_(1)\ny.sum().backward()\n"


def test_five_hundred_classes_each_heir_of_the_one_before():
    text = "import torch\nclass C0:\n    def m(self, x):\n        return x.exp()\n"
    text += "".join(f"class C{number}(C{number - 1}):\n    pass\n" for number in range(1, 500))
    start = time.process_time()
    assert [one.code for one in analyse(text + END.format(last=499), "/deep.py").findings] == ["IP101"]
    assert time.process_time() - start < 15


def test_a_hundred_diamonds_one_upon_the_other():
    text = "import torch\nclass C0:\n    def m(self, x):\n        return x.exp()\nclass D0(C0):\n    pass\n"
    for number in range(1, 100):
        text += f"class C{number}(D{number - 1}):\n    pass\nclass D{number}(C{number}, D{number - 1}):\n    pass\n"
    start = time.process_time()
    assert [one.code for one in analyse(text + END.format(last=99), "/deep.py").findings] == ["IP101"]
    assert time.process_time() - start < 15


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
    assert [one.code for one in analyse(program, "/diamond.py").findings] == ["IP101"]


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
    assert "".join(merge(tuple(bases), [tuple(one) for one in lineages])) == merged


def test_the_merge_is_that_of_python():
    class O: ...  # noqa: E742

    class A(O): ...

    class B(O): ...

    class D(A, B): ...

    class E(B): ...

    class F(D, E): ...

    assert merge((D, E), [D.__mro__, E.__mro__]) == list(F.__mro__[1:])
