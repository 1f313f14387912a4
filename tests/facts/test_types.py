"""Types of parameters by jedi, and what they change."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import jedi
import parso
import pytest

from cli.commandline import found
from inplace_lsp.facts.inferred_types import KNOWN
from inplace_lsp.facts.types import infer_types
from inplace_lsp.interpret.state.facts import Kind, ParameterQuestion
from inplace_lsp.project import check_text

CALLED = """\
import torch

class A:
    def __init__(self, weight):
        self.weight = weight

    def use(self, count, name):
        return self.weight * count

def f(x, k, both, nothing):
    return x * k

w = torch.rand(3, requires_grad=True)
f(w, 3, 1)
f(torch.zeros(3) + 1, 4.0, "two")
A(w).use(2, "s")
"""


def ask(text: str, file: Path, *wanted: tuple[str, str]) -> dict[tuple[str, str], Kind]:
    types = infer_types(text, [ParameterQuestion(str(file), function, name) for function, name in wanted])
    return {(wanted.function, wanted.name): kind for wanted, kind in types.items()}


def test_types_from_the_calls_in_the_file(tmp_path: Path):
    wanted = [("A.__init__", "weight"), ("A.use", "count"), ("A.use", "name")]
    wanted += [("f", "x"), ("f", "k"), ("f", "both"), ("f", "nothing"), ("no", "such")]
    assert ask(CALLED, tmp_path / "a.py", *wanted) == {
        ("A.__init__", "weight"): "tensor",
        ("A.use", "count"): "number",
        ("A.use", "name"): "string",
        ("f", "x"): "tensor",
        ("f", "k"): "number",
    }


def test_types_from_docstrings(tmp_path: Path):
    text = 'import torch\ndef f(x, n):\n    """\n    :type x: torch.Tensor\n    :type n: int\n    """\n'
    assert ask(text, tmp_path / "a.py", ("f", "x"), ("f", "n")) == {("f", "x"): "tensor", ("f", "n"): "number"}


def test_types_from_a_call_with_what_another_file_makes(tmp_path: Path):
    (tmp_path / "data.py").write_text("import torch\n\ndef batch():\n    return torch.rand(3)\n")
    text = "from data import batch\ndef f(x):\n    pass\nf(batch())\n"
    assert ask(text, tmp_path / "a.py", ("f", "x")) == {("f", "x"): "tensor"}


@pytest.mark.parametrize("written", [b"", b"\x80\x05"], ids=["nothing", "a part"])
def test_a_cache_that_somebody_has_not_finished_writing_costs_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: bytes
):
    (tmp_path / "data.py").write_text("def batch():\n    return 1.0\n")
    text = "from data import batch\ndef f(x):\n    pass\nf(batch())\n"
    monkeypatch.setattr(jedi.settings, "cache_directory", tmp_path / "cache")
    assert ask(text, tmp_path / "a.py", ("f", "x")) == {("f", "x"): "number"}
    kept = list((tmp_path / "cache").rglob("*.pkl"))
    assert kept
    for file in kept:
        file.write_bytes(written)
    parso.cache.parser_cache.clear()  # what this process has read
    assert ask(text, tmp_path / "a.py", ("f", "x")) == {("f", "x"): "number"}
    assert jedi.settings.cache_directory == tmp_path / "cache"


@pytest.mark.parametrize(
    "text", ["", "def f(x", "def f(x):\n  = =\nf(", "\0", "def f(x): pass\nf(f(f(f)))\n", "class f:\n x"]
)
def test_any_text_may_be_asked_about(tmp_path: Path, text: str):
    ask(text, tmp_path / "a.py", ("f", "x"))


UNUSED_AS_TENSORS = '''\
import torch

def f(x, w):
    """
    :type x: torch.Tensor
    :type w: torch.Tensor
    """
    y = x * w
    w += 1
    return y
'''
"""Neither parameter is used in a way that only tensors are used in."""


def test_a_type_refines_the_answer(tmp_path: Path):
    file = str(tmp_path / "a.py")
    first = check_text(UNUSED_AS_TENSORS, file)
    assert [finding.code for finding in first.findings] == []
    assert {wanted.name for wanted in first.wanted} == {"x", "w"}
    try:
        assert KNOWN.learn_types(file, infer_types(UNUSED_AS_TENSORS, first.wanted))
        second = check_text(UNUSED_AS_TENSORS, file)
        assert [(finding.code, finding.span.row) for finding in second.findings] == [("IP101", 9)]
        moved = check_text("# a line\n" + UNUSED_AS_TENSORS, file)
        assert [(finding.code, finding.span.row) for finding in moved.findings] == [("IP101", 10)]
    finally:
        KNOWN.forget_file(file)
    assert check_text(UNUSED_AS_TENSORS, file).findings == ()


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_first_answer_is_without_jedi_and_torch(tmp_path: Path):
    code = f"""
import sys
from inplace_lsp.project import check_text
from inplace_lsp import engine
check_text({CALLED!r}, {str(tmp_path / "a.py")!r})
engine.analyse_source({CALLED!r}, "/a.py")
import inplace_lsp.lsp.server
print([name for name in ("jedi", "torch", "numpy") if name in sys.modules])
"""
    assert run(code) == "[]\n"


def test_jedi_reads_torch_but_never_imports_it(tmp_path: Path):
    code = f"""
import sys
from inplace_lsp.facts.types import infer_types
from inplace_lsp.interpret.state.facts import ParameterQuestion
print(list(infer_types({CALLED!r}, [ParameterQuestion({str(tmp_path / "a.py")!r}, "f", "x")]).values()))
print([name for name in sys.modules if name.split(".")[0] in ("torch", "numpy")])
"""
    assert run(code) == "['tensor']\n[]\n"


def test_a_process_answers_line_by_line(tmp_path: Path):
    ask_twice = (
        '{"file": "%s", "text": "def f(x): pass\\nf(1)\\n", "questions": [["f", "x"]]}\n' % (tmp_path / "a.py") * 2
    )
    command = [sys.executable, "-m", "inplace_lsp.facts"]
    done = subprocess.run(command, input=ask_twice, capture_output=True, text=True, check=True)
    assert done.stdout == '[["f", "x", "number"]]\n' * 2


def test_the_command_line_asks_jedi_if_told_to(tmp_path: Path):
    file = tmp_path / "a.py"
    file.write_text(UNUSED_AS_TENSORS)
    try:
        assert found(file) == []
        assert [(finding["code"], finding["location"]["row"]) for finding in found("--infer-types", file)] == [
            ("IP101", 9)
        ]
    finally:
        KNOWN.forget_file(str(file))


def test_types_from_calls_in_other_files_of_the_project(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "use.py").write_text("import torch\nfrom lib import helper\n\nhelper(torch.rand(3), 2)\n")
    text = "def helper(x, n):\n    pass\n"
    (tmp_path / "lib.py").write_text(text)
    wanted = ("helper", "x"), ("helper", "n")
    assert ask(text, tmp_path / "lib.py", *wanted) == {("helper", "x"): "tensor", ("helper", "n"): "number"}
