"""What is found where the packages that a program imports are not installed is found where they are."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from inplace_lsp.config import DEFAULT
from inplace_lsp.engine import analyse_source
from inplace_lsp.facts.models import make_facts

PACKAGES = ".venv/lib/python3.11/site-packages/"
MEMORY = """\
from torch import nn


class Memory(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.cell = nn.Linear(hidden, hidden)
        self.state = None

    def forward(self, x):
        h = self.cell(x)
        self.state = h if self.state is None else self.state + h.tanh()
        return self.state.mean()
"""
"""It remembers what it computed, with its graph: two backwards go through it."""
TRAINING = """\
for _ in range(3):
    loss = net(torch.randn(4, 8))
    loss.backward()
"""
EXPORTS = (
    "import sys\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .parts import *\nelse:\n    sys.path\n"
)
"""A package that loads its names when they are asked for, and tells type checkers what they are."""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))


def found(folder: Path) -> set[tuple[int, str]]:
    """Row and code of what is found in `train.py`."""
    main = folder / "train.py"
    findings = analyse_source(main.read_text(), str(main), make_facts(DEFAULT)).findings
    return {(finding.span.row, finding.code) for finding in findings}


def large_package() -> dict[str, str]:
    """A package whose many modules are all imported with a star, as that of large collections of models."""
    names = [f"part{number}" for number in range(80)]
    imports = "".join(f"from .{name} import *\n" for name in names)
    folders = {f"collection/parts/{name}/__init__.py": "from .modeling import *\n" for name in names}
    modules = {f"collection/parts/{name}/modeling.py": f"class {name.title()}:\n    pass\n" for name in names}
    return {"collection/__init__.py": EXPORTS, "collection/parts/__init__.py": imports, **folders, **modules}


def busy_package() -> dict[str, str]:
    """A package whose function calls others twice each, many levels deep."""
    levels = "".join(f"def level{n}(x):\n    level{n - 1}(x)\n    return level{n - 1}(x)\n" for n in range(1, 16))
    return {"busy/__init__.py": f"def level0(x):\n    y = x\n    return y\n{levels}"}


OPENS_FILES = """\
OPENERS = {}


class UnknownFormatError(OSError):
    pass


def register(name, opener):
    OPENERS[name] = opener


def load(path):
    for name in OPENERS:
        found = OPENERS[name](path)
        if found is not None:
            return found
    raise UnknownFormatError(f"cannot read {path}")
"""
"""A package that finds what opens a file in a table that its plugins fill."""

CASES = {
    "names that nothing else binds are not searched in all modules of a package": (
        large_package(),
        f"""\
        import torch
        from collection import *
        from memory import Memory
        print(len(list(range(3))))
        net = Memory(8)
        {TRAINING.replace(chr(10), chr(10) + " " * 8)}
        """,
    ),
    "the modules of a package do not take the place of the project's": (
        large_package(),
        f"""\
        import torch
        import collection
        from collection.parts import *
        import collection.parts as parts
        kinds = [{", ".join(f"parts.Part{n}" for n in range(70))}]
        from memory import Memory
        net = Memory(8)
        {TRAINING.replace(chr(10), chr(10) + " " * 8)}
        """,
    ),
    "what a package cannot open is no end of the program": (
        {"pictures/__init__.py": OPENS_FILES},
        f"""\
        import torch
        from pictures import load
        from memory import Memory
        size = load("first.png").size
        net = Memory(8)
        {TRAINING.replace(chr(10), chr(10) + " " * 8)}
        """,
    ),
    "what a package executes is not taken from what the project may": (
        busy_package(),
        f"""\
        import torch
        from busy import level15
        from memory import Memory
        level15(1)
        net = Memory(8)
        {TRAINING.replace(chr(10), chr(10) + " " * 8)}
        """,
    ),
}


@pytest.mark.parametrize(("package", "program"), CASES.values(), ids=CASES)
def test_a_finding_does_not_go_when_a_package_is_installed(
    tmp_path: Path, package: dict[str, str], program: str
) -> None:
    write(tmp_path, {"train.py": program, "memory.py": MEMORY})
    without = found(tmp_path)
    assert {code for _, code in without} == {"IP103"}
    installed = tmp_path / "installed"
    write(installed, {"train.py": program, "memory.py": MEMORY})
    write(installed, {PACKAGES + name: text for name, text in package.items()})
    assert found(installed) == without


def test_a_function_may_call_a_package_before_a_helper_of_its_own(tmp_path: Path) -> None:
    program = """\
    import torch
    from busy import level8
    from helpers import rescale

    def step(x):
        level8(1)
        y = x.exp()
        rescale(y)
        return y.sum()
    """
    write(tmp_path, {"train.py": program, "helpers.py": "def rescale(x):\n    x.mul_(2)\n"})
    write(tmp_path, {PACKAGES + name: text for name, text in busy_package().items()})
    main = tmp_path / "train.py"
    findings = analyse_source(main.read_text(), str(main), make_facts(DEFAULT)).findings
    assert [(Path(finding.span.file).name, finding.span.row) for finding in findings] == [("helpers.py", 2)]


def test_a_package_that_takes_all_steps_ends_its_own_call_alone(tmp_path: Path) -> None:
    """As one whose result is not known."""
    long = "".join(f"    total = total + x * {n} - ({n} + 1) * ({n} + 2)\n" for n in range(6000))
    program = f"""\
    import torch
    from busy import add_up
    from memory import Memory
    add_up(1)
    net = Memory(8)
    {TRAINING.replace(chr(10), chr(10) + " " * 4)}
    """
    write(tmp_path, {"train.py": program, "memory.py": MEMORY})
    write(tmp_path, {PACKAGES + "busy/__init__.py": f"def add_up(x):\n    total = 0\n{long}    return total\n"})
    assert found(tmp_path) == {(8, "IP103")}


GAMES = """\
from .table import rules


class Repeated:
    def __init__(self, times):
        self.times = times

    def step(self, action):
        reward = 0
        for _ in range(self.times):
            observation, one, done = rules.play(action)
            reward += one
            done = done or one < 0
            if done:
                break
        return observation, reward, done
"""
AGENT = """\
import torch
from games import Repeated
from torch import nn

network = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
game = Repeated(4)
for episode in range(2):
    done, state = False, network(torch.rand(4))
    while not done:
        observation, reward, done = game.step(state.argmax())
        loss = (reward - state).pow(2).sum()
        state = network(torch.as_tensor(observation))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def test_what_a_package_decides_does_not_end_a_loop_of_the_program(tmp_path: Path) -> None:
    without, installed = tmp_path / "without", tmp_path / "installed"
    write(without, {"train.py": AGENT})
    write(installed, {"train.py": AGENT, PACKAGES + "games/__init__.py": GAMES})
    write(installed, {PACKAGES + "games/table.py": "from ._rules import rules\n"})
    assert found(installed) == found(without) == {(16, "IP102")}
