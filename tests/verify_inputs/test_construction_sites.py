"""What a function is given is taken from calls of that very function, and followed back in a few steps."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

import pytest

from inplace_lsp.verify.inputs.construction_sites import DEPTH, with_sites
from inplace_lsp.verify.inputs.guess import Guesses
from inplace_lsp.verify.inputs.model import SourceFile
from inplace_lsp.verify.inputs.program import read_program


class Project:
    """Other files, and how often it was searched."""

    def __init__(self, *files: SourceFile) -> None:
        self.files = files
        self.searches = 0

    def files_mentioning(self, word: str) -> Iterable[SourceFile]:
        self.searches += 1
        return [file for file in self.files if word in file.text]

    def module(self, name: str) -> SourceFile | None:
        return next((file for file in self.files if file.module == name), None)

    def data(self, name: str) -> str | None:
        return None


def given(program: str, target: str, project: Project | None = None) -> dict[str, str]:
    """What the project gives a function, as source."""
    read = read_program(textwrap.dedent(program), "/trial/program.py")
    assert read is not None
    found = with_sites(
        read,
        read.definitions[target],
        project or Project(),
        lambda home, owner: Guesses(home).make_instance(owner),
    )
    return {name: recipe.source() for name, recipe in found.built.get(target, {}).items() if recipe is not None}


def test_each_argument_is_followed_back_once():
    names = "a, b, c, d, e, f"
    levels = [f"def level{at}({names}):\n    level{at - 1}({names})\n" for at in range(1, DEPTH - 1)]
    project = Project()
    assert given(f"def level0({names}):\n    pass\n{''.join(levels)}", "level0", project) == {}
    assert project.searches == 2  # for options, and for calls of the last level


def test_what_a_function_gives_itself_says_nothing():
    program = """
        def halve(x, n=8):
            def again(y):
                return halve(y, n + 2)
            return halve(x, n - 1) if n else again(x)
    """
    assert given(program, "halve") == {}
    assert given(f"{textwrap.dedent(program)}\nhalve(None, 5)\n", "halve") == {"x": "None", "n": "5"}


@pytest.mark.parametrize(
    "call",
    [
        "seen.update({'a': 1}, 2)",
        "self.update({'a': 1}, 2)",
        "torch.update({'a': 1}, 2)",
    ],
)
def test_a_method_of_the_same_name_is_no_call_of_a_function(call):
    program = f"""
        import torch
        class Log:
            def note(self, seen):
                {call}
        def update(x, n):
            return x * n
    """
    assert given(program, "update") == {}


@pytest.mark.parametrize(
    ("text", "module"),
    [
        ("from program import update\nupdate(n=3)\n", "main"),
        ("import program as how\nhow.update(n=3)\n", "main"),
        ("from program import *\nupdate(n=3)\n", "main"),
        ("from .program import update\nupdate(n=3)\n", "pack.main"),
    ],
)
def test_a_call_in_another_file_is_one_of_what_it_imports(text, module):
    project = Project(SourceFile("/trial/main.py", text, module))
    assert given("def update(n):\n    pass\n", "update", project) == {"n": "3"}


@pytest.mark.parametrize(
    "text",
    [
        "from torch import update\nupdate(n=3)\n",
        "def update(n):\n    pass\nupdate(n=3)\n",
        "seen = {}\nseen.update(n=3)\n",
    ],
)
def test_what_another_file_does_not_import_is_not_called_there(text):
    project = Project(SourceFile("/trial/main.py", text, "main"))
    assert given("def update(n):\n    pass\n", "update", project) == {}


AGENT = """
    class Agent:
        def __init__(self, size):
            self.size = size
        def run(self):
            CALL
        def update(self, n):
            return n
"""


@pytest.mark.parametrize(
    ("call", "outside"),
    [
        ("self.update(3)", ""),
        ("pass", "Agent(2).update(3)"),
        ("pass", "agent = Agent(2).to('cpu')\nagent.update(3)"),
        ("pass", "def train(agent: Agent):\n    agent.update(3)"),
    ],
)
def test_a_method_is_called_on_an_object_of_its_class(call, outside):
    assert given(textwrap.dedent(AGENT).replace("CALL", call) + outside, "Agent.update") == {"n": "3"}


@pytest.mark.parametrize("call", ["self.size.update(3)", "update(3)", "seen.update(3)"])
def test_a_method_is_not_called_on_anything_else(call):
    assert given(AGENT.replace("CALL", call), "Agent.update") == {}


def test_a_parameter_is_not_the_files_variable_of_its_name():
    program = """
        size = 'large'
        def train(size):
            return step(size)
        def step(size):
            return size
    """
    assert given(program, "step") == {}
    assert given(f"{textwrap.dedent(program)}\ntrain(4)\n", "step") == {"size": "4"}
    assert given(program.replace("train(size)", "train()"), "step") == {"size": "'large'"}


def test_a_number_beyond_all_bounds_is_written_so_that_python_reads_it():
    found = given("def clip(most, least):\n    pass\nclip(1e999, -1e999)\n", "clip")
    assert {name: eval(value) for name, value in found.items()} == {"most": float("inf"), "least": float("-inf")}
