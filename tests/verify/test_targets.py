"""What is run: the module as the project imports it, from the text in the editor, and a definition in it."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from inplace_lsp.messages.answers import Answer
from inplace_lsp.messages.codec import read_message
from inplace_lsp.messages.job import Job
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.target import MODULE, TargetError, place_of, target_at_line, target_by_name

TEXT = dedent(
    """\
    import torch

    class Net(torch.nn.Module):
        @torch.no_grad()
        def reset(self):
            def inner(x):
                return x
            return inner

        async def forward(self, x):
            return x

    if True:
        def late():
            pass
    """
)


@pytest.mark.parametrize(
    ("row", "name"),
    [
        (1, MODULE),
        (3, MODULE),
        (4, "Net.reset"),
        (6, "Net.reset.<locals>.inner"),
        (7, "Net.reset.<locals>.inner"),
        (8, "Net.reset"),
        (9, MODULE),
        (11, "Net.forward"),
        (15, "late"),
    ],
)
def test_the_definition_round_a_line(row: int, name: str) -> None:
    assert target_at_line(TEXT, row).name == name


def test_a_definition_by_its_name() -> None:
    assert target_by_name(TEXT, "Net.reset.inner").row == 6
    assert target_by_name(TEXT, "Net::forward").row == 10
    with pytest.raises(TargetError, match=r"no function 'nett' in the file \(functions: Net.reset, .*late\)"):
        target_by_name(TEXT, "nett")
    with pytest.raises(TargetError, match="there is no line 99: the file has 16"):
        target_at_line(TEXT, 99)
    with pytest.raises(TargetError, match=r"the file does not parse: .* \(line 1\)"):
        target_at_line("def f(:\n", 1)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_lines_end_as_python_has_it(end: str) -> None:
    text = TEXT.replace("\n", end)
    assert target_at_line(text, 11) == target_at_line(TEXT, 11)
    assert target_at_line(text, 9) == target_at_line(TEXT, 9)


@pytest.mark.parametrize("nested", ["not " * 20_000 + "1", "lambda: " * 3_000 + "1", "x" + ".a" * 30_000])
def test_what_is_nested_too_deeply_cannot_be_run(nested: str) -> None:
    with pytest.raises(TargetError, match="the file does not parse: nested too deeply"):
        target_at_line(f"y = {nested}\n", 1)


def project(folder: Path) -> Path:
    """A package `pack` with a module `pack.sub.work` that imports its neighbours."""
    files = {
        "pyproject.toml": "",
        "pack/__init__.py": "from pack.sub import work\n",
        "pack/tools.py": "import torch\n\ndef stamp(y):\n    y.add_(1)\n    return y\n",
        "pack/sub/__init__.py": "",
        "pack/sub/work.py": "raise RuntimeError('the text on the disk')\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder / "pack" / "sub" / "work.py"


WORK = """\
from __future__ import annotations
import torch
from ..tools import stamp

SCALE = 2.0
print("imported as", __name__, "of", __package__)

class Net(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.linear = torch.nn.Linear(n, n)

    def forward(self, x):
        y = self.linear(x).sigmoid()
        return stamp(y) * SCALE

    @staticmethod
    def twice(x):
        return x.mul_(2)

    @classmethod
    def build(cls, n):
        return cls(n)(torch.ones(n))

def outer(n):
    h = torch.rand(n, requires_grad=True).exp()
    def inner(k):
        h.mul_(k)
        return h
    if n == 2:
        inner(3)
        return h.sum()
    return inner if n == 3 else None

def kinds(a, /, b, *rest, c=1, **extra):
    print([float(t.sum()) for t in (a, b, *rest)], c, extra)

async def later(x):
    return x.exp().neg_()

def generate(x):
    for _ in range(2):
        y = x.exp()
        yield y
        y.zero_()

if __name__ == "__main__":
    raise SystemExit("the main guard was run")
"""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return project(tmp_path)


def run(client: Client, file: Path, target: str, text: str = WORK, **inputs: Any) -> Answer:
    """The worker's answer for `target` with these inputs."""
    place = place_of(str(file))
    all_inputs = {"source": "directive", "setup": "", "receiver": None, "arguments": {}, "driver": None, **inputs}
    how = {"op": "verify", "seed": 0, "device": "cpu", "deadline_s": 10}
    what = {"text": text, "filename": str(file), "module": place.module, "path": list(place.path), "target": target}
    return client.run(read_job({**how, **what, "inputs": all_inputs}))


def read_job(data: dict[str, Any]) -> Job:
    job = read_message(data)
    assert isinstance(job, Job)
    return job


def writes(answer: Answer) -> list[tuple[str, int]]:
    events = json.loads(answer.recorded.tape)["events"]
    return [(Path(event["span"]["file"]).name, event["span"]["row"]) for event in events if event["kind"] == "write"]


def test_a_method_of_a_module_in_a_package(client: Client, work: Path) -> None:
    answer = run(client, work, "Net.forward", receiver="Net(3)", arguments={"x": "randn(2, 3)"})
    assert answer.plain.output == "imported as pack.sub.work of pack.sub\n"
    assert "modified by an inplace operation" in answer.plain.error
    assert writes(answer) == [("tools.py", 4)]
    (write,) = (event for event in json.loads(answer.recorded.tape)["events"] if event["kind"] == "write")
    assert write["call"]["row"] == 15


def test_static_and_class_methods_need_no_instance(client: Client, work: Path) -> None:
    static = run(client, work, "Net.twice", arguments={"x": "torch.ones(2, requires_grad=True)"})
    assert "a leaf Variable that requires grad" in static.plain.error
    assert "modified by an inplace" in run(client, work, "Net.build", arguments={"n": "2"}).plain.error


def test_a_method_without_an_instance(client: Client, work: Path) -> None:
    answer = run(client, work, "Net.forward", arguments={"x": "randn(2, 3)"})
    assert answer.plain.failed == "Net.forward is a method, and there is no instance to call it on"


def test_an_inner_function_that_is_called(client: Client, work: Path) -> None:
    answer = run(client, work, "outer.<locals>.inner", arguments={"n": "2"})
    assert "modified by an inplace operation" in answer.plain.error
    assert writes(answer) == [("work.py", 28)]


def test_an_inner_function_that_is_returned(client: Client, work: Path) -> None:
    answer = run(client, work, "outer.<locals>.inner", arguments={"n": "3", "k": "2.0"})
    assert "modified by an inplace operation" in answer.plain.error


def test_an_inner_function_that_is_not_reached(client: Client, work: Path) -> None:
    answer = run(client, work, "outer.<locals>.inner", arguments={"n": "4", "k": "2.0"})
    assert answer.plain.failed == "outer neither called nor returned inner with these inputs"


def test_every_kind_of_parameter(client: Client, work: Path) -> None:
    given = {"a": "ones(2)", "b": "a + 1", "*args": "(ones(3),)", "c": "5", "**kwargs": "{'d': 6}"}
    answer = run(client, work, "kinds", arguments=given)
    assert answer.plain.output.endswith("[2.0, 4.0, 3.0] 5 {'d': 6}\n")


def test_coroutines_and_generators_are_run_through(client: Client, work: Path) -> None:
    x = {"x": "torch.ones(2, requires_grad=True)"}
    assert "modified by an inplace operation" in run(client, work, "later", arguments=x).plain.error
    assert "modified by an inplace operation" in run(client, work, "generate", arguments=x).plain.error


def test_an_input_that_cannot_be_made(client: Client, work: Path) -> None:
    answer = run(client, work, "kinds", arguments={"a": "ones(nothing)"})
    assert answer.plain.failed == "a = ones(nothing): NameError: name 'nothing' is not defined"


def test_setup_is_run_in_the_module(client: Client, work: Path) -> None:
    answer = run(client, work, "kinds", setup="SCALE = torch.ones(7)", arguments={"a": "SCALE", "b": "SCALE"})
    assert answer.plain.output.endswith("[7.0, 7.0] 1 {}\n")


def test_the_module_as_a_program_runs_its_main_guard(client: Client, work: Path) -> None:
    assert run(client, work, MODULE).plain.failed == "the code called sys.exit('the main guard was run')"


def driver(file: Path, text: str, call: str | None) -> dict[str, Any]:
    return {"text": text, "filename": str(file), "module": place_of(str(file)).module, "call": call}


def test_a_real_call_in_another_file(client: Client, work: Path, tmp_path: Path) -> None:
    text = dedent(
        """
        import torch
        from pack.sub.work import Net

        def test_it():
            x = torch.rand(5, requires_grad=True)
            Net(5)(x.exp())
            raise AssertionError("not so far")
        """
    )
    answer = run(client, work, "Net.forward", driver=driver(tmp_path / "test_work.py", text, "test_it()"))
    assert "modified by an inplace operation" in answer.plain.error
    assert writes(answer)[-1] == ("tools.py", 4)


def test_the_files_own_main_guard_as_driver(client: Client, work: Path) -> None:
    text = WORK.replace("raise SystemExit", "outer(2)\n    raise SystemExit")
    answer = run(client, work, "outer", text, driver=driver(work, text, None))
    assert "modified by an inplace operation" in answer.plain.error
    assert writes(answer) == [("work.py", 28)]


def test_a_driver_that_never_gets_there(client: Client, work: Path, tmp_path: Path) -> None:
    answer = run(client, work, "outer", driver=driver(tmp_path / "idle.py", "import pack\n", None))
    assert answer.plain.failed == "idle.py ran to its end without a call of outer"


def test_a_script_that_fails_after_the_definition(client: Client, tmp_path: Path) -> None:
    text = "import torch\n\ndef f(x):\n    return x.exp().add_(1)\n\nprint(1 / 0)\n"
    answer = run(client, tmp_path / "a-script.py", "f", text, arguments={"x": "ones(2, requires_grad=True)"})
    assert "modified by an inplace operation" in answer.plain.error
    assert answer.plain.notes == ("the file was run up to its first error: ZeroDivisionError: division by zero",)


def test_a_file_named_like_a_library(client: Client, tmp_path: Path) -> None:
    text = "import torch\n\ndef f(x):\n    return x.exp().add_(1)\n"
    for name in ("random.py", "torch.py"):
        answer = run(client, tmp_path / name, "f", text, arguments={"x": "ones(2, requires_grad=True)"})
        assert "modified by an inplace operation" in str(answer.plain.error), name


def test_what_lies_beside_a_file_of_a_package_hides_no_library(client: Client, work: Path) -> None:
    (work.parent / "colorsys.py").write_text("ONE_THIRD = 'not the library'\n")
    (work.parent / "beside.py").write_text("NAME = 'found'\n")
    text = "import beside\nimport colorsys\n\ndef tell():\n    print(beside.NAME, colorsys.ONE_THIRD * 3)\n"
    assert run(client, work, "tell", text).plain.output == "found 1.0\n"


def test_probing_tells_which_inputs_fit(client: Client, work: Path) -> None:
    place = place_of(str(work))
    what = {"text": WORK, "filename": str(work), "module": place.module, "path": list(place.path)}
    empty = {"source": "inferred", "setup": "", "receiver": None, "arguments": {}, "driver": None}
    tries = [("Net(3)", "randn(2, 3)"), ("Net(3)", "randn(2, 4)"), ("Net(0, 0)", "1"), ("Net(1)", "ones(int(ones(1)))")]
    candidates = [{**empty, "receiver": receiver, "arguments": {"x": x}} for receiver, x in tries]
    job = {"op": "probe", **what, "target": "Net.forward", "candidates": candidates, "deadline_s": 2}
    results = client.run(read_job(job)).trials
    assert [result.ok for result in results] == [True, False, False, True], results
    assert "[2, 4] X [3, 3]" in results[1].error
    assert [row for row, _ in results[1].steps] == [14]
    assert not any(result.fault for result in results)
    assert results[2].error.startswith("self = Net(0, 0): TypeError: ")
