"""What an analysis costs, in steps: as much as was recorded, and no more for each function than for the first."""

from __future__ import annotations

import json
import os
from collections.abc import Callable

import pytest

from inplace_lsp.engine import analyse_source
from steps import FRAMEWORKS, RECORDED, count_calls, count_steps, count_steps_of, find_file

RECORD = json.loads(RECORDED.read_text(encoding="utf-8"))
TOLERANCE = 0.03
"""By how much of the recorded steps a part of the files may take more, or less."""
OURS = "programs of our own"


def find_part(name: str) -> str:
    """Return the package that a file belongs to."""
    return name.partition("/")[0] if name in FRAMEWORKS else OURS


@pytest.mark.parametrize("part", sorted(set(map(find_part, RECORD))))
def test_an_analysis_takes_the_steps_that_were_recorded(part: str) -> None:
    names = [name for name in RECORD if find_part(name) == part]
    if find_file(names[0]) is None:
        assert "CI" not in os.environ, f"{part} is not installed"
        pytest.skip(f"{part} is not installed: pip install -e '.[frameworks]'")
    found = {name: count_steps_of(name) or 0 for name in names}
    before, now = sum(RECORD[name] for name in names), sum(found.values())
    changed = [f"  {name}: {RECORD[name]} -> {found[name]}" for name in names if found[name] != RECORD[name]]
    assert abs(now - before) <= TOLERANCE * before, "\n".join([
        f"{before} steps were recorded, now it takes {now} ({now / before - 1:+.1%}):",
        *changed,
        "if that is meant, record them anew: python tests/steps.py",
    ])  # fmt: skip


START = "import torch\nfrom torch import nn\n"
BY_NAME = f"""{START}
TABLE = {{}}

def register(name):
    def decorate(function):
        if name in TABLE:
            raise ValueError(name)
        TABLE[name] = function
        return function
    return decorate

def compute(name, x):
    return TABLE[name](x)

"""
LIST = f"""{START}
HOOKS = []

def hook(function):
    HOOKS.append(function)
    return function

"""
REGISTRY = f"""{START}
class Registry:
    def __init__(self):
        self.classes = {{}}

    def register(self):
        def decorate(cls):
            self.classes[cls.__name__] = cls
            return cls
        return decorate

LAYERS = Registry()

"""
FUNCTION = """
def f{0}(x):
    y = x.exp()
    y.mul_(2)
    return y.sum()

"""
CLASS = """
class Layer{0}(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        y = self.linear(x).exp()
        y.mul_(2)
        return y.sum()

"""
USES = """
def use(x):
    y = compute("f1", x)
    y.backward()
    y.backward()
"""
SHAPES = {
    "by name": (BY_NAME, "@register('f{0}')" + FUNCTION, ""),
    "by name, and looked up": (BY_NAME, "@register('f{0}')" + FUNCTION, USES),
    "in a list": (LIST, "@hook" + FUNCTION, ""),
    "classes": (REGISTRY, "@LAYERS.register()" + CLASS, ""),
}


@pytest.mark.parametrize("count", [count_steps, count_calls])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_function_that_is_registered_costs_the_same_however_many_are(
    shape: str, count: Callable[[str, str], int]
) -> None:
    head, registered, tail = SHAPES[shape]
    texts = [head + "".join(map(registered.format, range(number))) + tail for number in (10, 20, 40)]
    few, some, many = (count(text, "/registered.py") for text in texts)
    assert many - some <= 2.1 * (some - few)


@pytest.mark.parametrize("shape", SHAPES)
def test_all_registered_functions_are_judged(shape: str) -> None:
    head, registered, tail = SHAPES[shape]
    text = head + "".join(map(registered.format, range(20))) + tail
    found = [finding.code for finding in analyse_source(text, "/registered.py").findings]
    assert found.count("IP101") == 20
    assert found.count("IP103") == bool(tail)
