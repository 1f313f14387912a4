"""Names imported from other files: helpers that write, views they return, modules they define."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from inplace_lsp.facts.modules import Modules
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import registrations
from inplace_lsp.interpret.python.table_fillers import find_filling_units
from inplace_lsp.interpret.state.facts import ModuleText
from inplace_lsp.project import check_text
from inplace_lsp.source.units import read_source

START = "import torch\nw = torch.rand(3, 3, requires_grad=True)\n"


class Project:
    """A folder of files."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")

    def check(self, name: str) -> tuple[Finding, ...]:
        path = self.root / name
        return check_text(path.read_text(encoding="utf-8"), str(path)).findings

    def found(self, name: str) -> set[tuple[str, int, str]]:
        """File, row and code of what is found by checking one file, hints left out."""
        findings = (finding for finding in self.check(name) if finding.severity in ("error", "warning"))
        return {(os.path.relpath(finding.span.file, self.root), finding.span.row, finding.code) for finding in findings}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "pyproject.toml").write_text("")
    return Project(tmp_path)


HELPERS = """\
def scale_(x):
    x.mul_(2)
    return x

def first(x):
    return x[0]

def copied(x):
    return x.clone()
"""
WRITE = START + "{imports}\ny = w.exp()\n{call}\ny.sum().backward()\n"


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("from helpers import scale_", "scale_(y)"),
        ("from helpers import scale_ as s, first", "s(y)"),
        ("import helpers", "helpers.scale_(y)"),
        ("import helpers as h", "h.scale_(y)"),
        ("from helpers import *", "scale_(y)"),
        ("from helpers import first, scale_", "scale_(first(y))"),
    ],
)
def test_a_write_inside_a_helper_belongs_to_the_line_of_the_helper(project: Project, imports: str, call: str):
    project.write("helpers.py", HELPERS)
    project.write("main.py", WRITE.format(imports=imports, call=call))
    assert project.found("main.py") == {("helpers.py", 2, "IP101")}
    (finding,) = [finding for finding in project.check("main.py") if finding.severity == "error"]
    related = {(Path(place.span.file).name, place.span.row, place.role) for place in finding.related}
    assert {("main.py", 4, "saved"), ("main.py", 5, "written"), ("main.py", 6, "backward")} <= related


def test_a_view_from_a_helper_shares_memory(project: Project):
    project.write("helpers.py", HELPERS)
    project.write("main.py", WRITE.format(imports="import helpers", call="helpers.first(y).add_(1)"))
    assert project.found("main.py") == {("main.py", 5, "IP101")}


def test_a_copy_from_a_helper_does_not(project: Project):
    project.write("helpers.py", HELPERS)
    project.write("main.py", WRITE.format(imports="import helpers", call="helpers.copied(y).add_(1)"))
    assert project.found("main.py") == set()


MODEL = """\
import torch
from torch import nn
from .blocks import Block

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(nn.ReLU(inplace=True))

    def forward(self, x):
        return self.block(x)
"""
BLOCKS = """\
from torch import nn

class Block(nn.Module):
    def __init__(self, act):
        super().__init__()
        self.act = act

    def forward(self, x):
        y = x.sigmoid()
        return self.act(y)
"""


def test_modules_of_a_package_are_executed(project: Project):
    project.write("net/__init__.py", "from .model import Net\n")
    project.write("net/model.py", MODEL)
    project.write("net/blocks.py", BLOCKS)
    project.write("main.py", START + "from net import Net\nNet()(w).sum().backward()\n")
    assert project.found("main.py") == {("net/blocks.py", 10, "IP101")}
    assert ("net/blocks.py", 10, "IP101") in project.found("net/model.py")


@pytest.mark.parametrize(
    "imports",
    ["from ..tools import scale_", "from .. import tools\nscale_ = tools.scale_", "from pkg.tools import scale_"],
)
def test_relative_and_absolute_imports_within_a_package(project: Project, imports: str):
    project.write("src/pkg/__init__.py", "")
    project.write("src/pkg/tools.py", HELPERS)
    project.write("src/pkg/deep/__init__.py", "")
    project.write("src/pkg/deep/use.py", WRITE.format(imports=imports, call="scale_(y)"))
    assert project.found("src/pkg/deep/use.py") == {("src/pkg/tools.py", 2, "IP101")}


def test_a_base_class_in_another_file(project: Project):
    project.write(
        "base.py", "from torch import nn\nclass Base(nn.Module):\n    def act(self, x):\n        return x.relu_()\n"
    )
    project.write(
        "main.py",
        """\
        import torch
        from base import Base
        class Net(Base):
            def forward(self, x):
                return self.act(x.exp())
        """,
    )
    assert project.found("main.py") == {("base.py", 4, "IP101")}


def test_an_installed_package_writes_where_it_is_called(project: Project):
    """`a write by a library belongs to the line that calls it`."""
    project.write(".venv/lib/python3.11/site-packages/tools/__init__.py", HELPERS)
    project.write("main.py", WRITE.format(imports="import tools", call="tools.scale_(y)"))
    assert project.found("main.py") == {("main.py", 5, "IP101")}


def test_imports_in_a_circle(project: Project):
    project.write("one.py", "from two import scale_\nfrom two import missing\ndef again(x):\n    return scale_(x)\n")
    project.write("two.py", "from one import again, missing\ndef scale_(x):\n    x.mul_(2)\n")
    project.write("main.py", WRITE.format(imports="from one import again, missing", call="again(y); missing(y)"))
    assert project.found("main.py") == {("two.py", 3, "IP101")}


@pytest.mark.parametrize(
    "imports",
    [
        "import nowhere, nowhere.at.all as n",
        "from nowhere import a, b\nfrom nowhere import *",
        "from ....too.far import a",
        "from . import main, nothing",
        "from .broken import a\nfrom binary import b\nimport folder",
        "import main\nfrom main import y",
    ],
)
def test_what_cannot_be_resolved_does_no_harm(project: Project, imports: str):
    project.write("broken.py", "def a(:\n")
    (project.root / "binary.py").write_bytes(b"\0\xff\xfe")
    (project.root / "folder.py").mkdir()
    project.write("main.py", WRITE.format(imports=imports, call="y.add_(1)"))
    assert ("main.py", project.root.joinpath("main.py").read_text().split("\n").index("y.add_(1)") + 1, "IP101") in (
        project.found("main.py")
    )


def test_an_edit_of_the_helper_is_seen(project: Project):
    """What is remembered of `main.py` does not outlive what it was computed from."""
    project.write("main.py", WRITE.format(imports="import helpers", call="helpers.scale_(y)"))
    assert project.found("main.py") == set()
    project.write("helpers.py", HELPERS)
    assert project.found("main.py") == {("helpers.py", 2, "IP101")}
    project.write("helpers.py", "# a line more\n" + HELPERS)
    assert project.found("main.py") == {("helpers.py", 3, "IP101")}
    project.write("helpers.py", HELPERS.replace("x.mul_(2)", "x = x * 2"))
    assert project.found("main.py") == set()


def test_the_text_in_the_editor_counts_not_the_one_on_the_disk(project: Project):
    project.write("helpers.py", HELPERS)
    project.write("main.py", WRITE.format(imports="import helpers", call="helpers.scale_(y)"))
    main, helpers = str(project.root / "main.py"), str(project.root / "helpers.py")
    text = Path(main).read_text()
    opened = Modules({helpers: HELPERS.replace("x.mul_(2)", "x = x * 2")})
    assert check_text(text, main, facts=opened).findings == ()


def test_a_package_that_only_the_editor_has_is_found(project: Project):
    """Its folder is not on the disk yet; one of nearly that name is none of its modules."""
    main = str(project.root / "main.py")
    text = WRITE.format(imports="from unsaved import parts", call="parts.scale_(y)")
    unsaved = str(project.root / "unsaved" / "parts.py")
    assert check_text(text, main, facts=Modules({unsaved: HELPERS})).findings != ()
    nearly = str(project.root / "unsavedparts.py")
    assert check_text(text, main, facts=Modules({nearly: HELPERS})).findings == ()


def test_a_helper_that_goes_on_for_ever_costs_little(project: Project):
    project.write("helpers.py", "def spin(x):\n" + "    x = x + 1\n" * 20_000 + "    return x\n")
    calls = "\n".join("helpers.spin(y)" for _ in range(20))
    main = WRITE.format(imports="import helpers", call=calls)
    project.write("main.py", main)
    (gap,) = check_text(main, str(project.root / "main.py")).gaps
    assert (gap.function, gap.reason) == ("<module>", "too long to follow every path")


def test_modules_that_import_each_other_with_a_star_are_searched_once(project: Project):
    names = [f"part{at}" for at in range(14)]
    for name in names:
        stars = "".join(f"from {other} import *\n" for other in names if other != name)
        project.write(f"{name}.py", f"{stars}def of_{name}(x):\n    x.mul_(2)\n")
    project.write("main.py", WRITE.format(imports="from part0 import *", call="nowhere(y); of_part13(y)"))
    began = time.process_time()
    assert project.found("main.py") == {("part13.py", 15, "IP101")}
    assert time.process_time() - began < 5  # every way through them would take for ever


def test_an_edit_of_the_helper_is_seen_by_every_method(project: Project):
    project.write("acts.py", "from torch import nn\ndef make():\n    return nn.ReLU(inplace=True)\n")
    project.write(
        "net.py",
        """\
        import torch
        from torch import nn
        import acts
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.act = acts.make()
            def forward(self, x):
                return self.act(x.exp())
            def other(self, x):
                return self.act(torch.exp(x))
        """,
    )
    before = project.check("net.py")
    assert {finding.span.row for finding in before} == {9, 11}
    project.write("acts.py", "from torch import nn\ndef make():\n    return nn.ReLU()\n")
    assert project.check("net.py") == ()


SETTINGS = """\
def plain(x):
    return x * 2

def writing(x):
    x.mul_(2)
    return x

class Chosen:
    step = plain
"""


def test_what_a_file_does_to_a_module_it_imports_is_gone_in_the_next(project: Project):
    """Definitions of other modules are kept from file to file: what a path made of them is not."""
    project.write("settings.py", SETTINGS)
    use = START + "y = w.exp()\nsettings.Chosen.step(y)\ny.sum().backward()\n"
    project.write("a.py", f"import settings\nsettings.Chosen.step = settings.writing\n{use}")
    project.write("b.py", f"import settings\n{use}")
    for _ in range(2):
        assert project.found("a.py") == {("settings.py", 5, "IP101")}
        assert project.found("b.py") == set()
    project.write("settings.py", SETTINGS.replace("return x * 2", "return x.add_(1)"))
    assert project.found("b.py") == {("settings.py", 2, "IP101")}


def test_what_a_file_registers_with_a_function_it_imports_is_gone_in_the_next(project: Project):
    project.write(
        "shared.py",
        """\
        from functools import singledispatch

        @singledispatch
        def touch(x):
            return x * 2
        """,
    )
    use = START + "from shared import touch\ny = w.exp()\n{}touch(y)\ny.sum().backward()\n"
    project.write("a.py", use.format("@touch.register\ndef _(x: torch.Tensor):\n    return x.mul_(2)\n"))
    project.write("b.py", use.format(""))
    for _ in range(2):
        assert project.found("a.py") == {("a.py", 7, "IP101")}
        assert project.found("b.py") == set()


def test_what_a_module_does_to_its_own_class_is_done_for_every_file(project: Project):
    """What only defines is executed once for all files; what changes something is not."""
    project.write("settings.py", f"{SETTINGS}\ndone = setattr(Chosen, 'step', writing)\n")
    use = START + "import settings\nsettings.done\ny = w.exp()\nsettings.Chosen.step(y)\ny.sum().backward()\n"
    for name in ("a.py", "b.py", "a.py"):
        project.write(name, use)
        assert project.found(name) == {("settings.py", 5, "IP101")}


MARKS = """\
writes = False

def marked(function):
    def plain(x):
        return function(x)
    def writing(x):
        return function(x).mul_(2)
    return writing if writes else plain
"""


def test_a_decorator_of_a_third_module_means_what_that_module_holds_now(project: Project):
    """What a decorated definition came to is kept only as long as nothing changed that its decorator looked up."""
    project.write("marks.py", MARKS)
    project.write("layers.py", "from marks import marked\n\n@marked\ndef touch(x):\n    return x\n")
    use = START + "from layers import touch\ny = w.exp()\ntouch(y)\ny.sum().backward()\n"
    project.write("a.py", f"import marks\nmarks.writes = True\n{use}")
    project.write("b.py", use)
    for _ in range(3):
        assert project.found("a.py") == {("marks.py", 7, "IP101")}
        assert project.found("b.py") == set()
    project.write("marks.py", MARKS.replace("return function(x)\n", "return function(x.add_(1))\n", 1))
    assert project.found("b.py") == {("marks.py", 5, "IP101")}


def test_what_a_file_puts_into_a_list_of_a_class_is_gone_in_the_next(project: Project):
    project.write("settings.py", f"{SETTINGS}    steps = [plain]\n\nclass Heir(Chosen):\n    pass\n")
    use = START + "y = w.exp()\nfor step in Heir.steps:\n    step(y)\ny.sum().backward()\n"
    start = "from settings import Heir, writing\n"
    project.write("a.py", f"{start}Heir.steps.append(writing)\n{use}")
    project.write("b.py", f"{start}{use}")
    for _ in range(3):
        assert project.found("a.py") == {("settings.py", 5, "IP101")}
        assert project.found("b.py") == set()


def test_decorators_of_libraries_mean_the_same_in_every_file(project: Project):
    project.write(
        "layers.py",
        """\
        import functools
        import torch

        def model(x):
            return x

        class Layer(torch.nn.Module):
            @functools.wraps(model)
            def touch(self, x):
                x.mul_(2)
                return x

            @torch.no_grad()
            def spare(self, x):
                return x.mul_(2)
        """,
    )
    use = START + "from layers import Layer\ny = w.exp()\nz = Layer().{}(y)\n(y + z).sum().backward()\n"
    for name, method, row in (
        ("a.py", "touch", 10),
        ("b.py", "touch", 10),
        ("c.py", "spare", 15),
        ("d.py", "spare", 15),
    ):
        project.write(name, use.format(method))
        assert project.found(name) == {("layers.py", row, "IP101")}


STATE = """\
import torch

hidden = torch.zeros(3)


def reset():
    global hidden
    hidden = torch.zeros(3)
"""
CARRIED = START + "import state\nfor _ in range(3):\n    state.hidden = (state.hidden + w).exp()\n"


def test_a_name_set_in_a_module_stays_set(project: Project):
    project.write("state.py", STATE)
    project.write("a.py", CARRIED + "    state.hidden.sum().backward()\n")
    assert project.found("a.py") == {("a.py", 6, "IP103")}
    project.write("a.py", CARRIED + "    state.hidden.sum().backward()\n    state.reset()\n")
    assert project.found("a.py") == set()


def test_what_a_file_sets_in_a_module_is_gone_in_the_next(project: Project):
    project.write("state.py", STATE)
    project.write(
        "a.py", START + "import state\nstate.hidden = w.exp()\nstate.hidden.mul_(2)\nw.exp().sum().backward()\n"
    )
    project.write("b.py", START + "import state\nstate.hidden.mul_(2)\n(w * state.hidden).sum().backward()\n")
    for _ in range(2):
        assert project.found("a.py") == set()
        assert project.found("b.py") == set()


def test_a_script_without_the_word_drives_the_models_of_its_project(project: Project):
    project.write(
        "models/net.py",
        """\
        import torch

        class Model:
            def __init__(self):
                self.net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Tanh(), torch.nn.Linear(3, 3))
                self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

            def forward(self):
                self.loss = self.net(torch.rand(2, 3)).sum()

            def step(self):
                self.optimizer.step()

            def backward(self):
                self.loss.backward()
        """,
    )
    project.write("models/__init__.py", "from .net import Model\n")
    drive = "from models import Model\n\nmodel = Model()\nfor _ in range(3):\n    model.forward()\n"
    project.write("train.py", drive + "    model.step()\n    model.backward()\n")
    project.write("train_in_order.py", drive + "    model.backward()\n    model.step()\n")
    assert project.found("train.py") == {("models/net.py", 12, "IP102")}
    assert project.found("train_in_order.py") == set()


ADD = 'sys.path.append("tools")'


@pytest.mark.parametrize(
    "added", [ADD, 'sys.path.insert(0, "./tools")', 'sys.path += ["tools"]', "sys.path.extend(('tools',))"]
)
def test_folders_that_the_program_adds_to_its_search_path(project: Project, added: str):
    project.write("tools/helpers.py", HELPERS)
    imports = f"import sys\n{added}\nfrom helpers import scale_"
    project.write("scripts/main.py", WRITE.format(imports=imports, call="scale_(y)"))
    assert project.found("scripts/main.py") == {("tools/helpers.py", 2, "IP101")}


def test_a_search_path_that_is_broken_or_another(project: Project):
    project.write("tools/helpers.py", HELPERS)
    for added in ('sys.path.append("tools"', 'my.path.append("tools")', "sys.path.append(1)"):
        project.write(
            "main.py", WRITE.format(imports=f"import sys\n{added}\nfrom helpers import scale_", call="scale_(y)")
        )
        assert project.found("main.py") == set()


def test_a_program_may_run_in_any_folder_above(project: Project):
    project.write("app/tools/helpers.py", HELPERS)
    project.write("app/runs/one/main.py", WRITE.format(imports="from tools.helpers import scale_", call="scale_(y)"))
    assert project.found("app/runs/one/main.py") == {("app/tools/helpers.py", 2, "IP101")}


def test_without_a_project_a_program_runs_near(tmp_path: Path):
    project = Project(tmp_path)
    project.write("tools/helpers.py", HELPERS)
    near, far = "a/b/c/d/e/main.py", "a/b/c/d/e/f/g/main.py"
    for name in (near, far):
        project.write(name, WRITE.format(imports="from tools.helpers import scale_", call="scale_(y)"))
    assert project.found(near) == {("tools/helpers.py", 2, "IP101")}
    assert project.found(far) == set()


LEAVES = """\
import os

def find_files(folder):
    found = []
    for name in os.listdir(folder):
        if name.endswith(".pt"):
            found.append(name)
    return found

def group(names):
    if len(names) == 0:
        return []
    return [names]

def prepare(folder, y):
    groups = group(find_files(folder))
    if len(groups) == 0:
        raise RuntimeError("no files")
    y.add_(1)
"""


def test_what_only_leaves_does_not_hide_the_rest_of_another_file(project: Project):
    project.write("data.py", LEAVES)
    project.write("main.py", WRITE.format(imports="from data import prepare", call="prepare('folder', y)"))
    assert project.found("main.py") == {("data.py", 19, "IP101")}


GANS = """\
import torch
from torch import nn


class Base:
    def __init__(self):
        self.g, self.d = nn.Linear(3, 3), nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
        self.opt_d = torch.optim.SGD(self.d.parameters(), lr=0.1)

    def forward(self, x):
        self.score = self.d(self.g(x)).mean()


class Eager(Base):
    def step(self):
        (-self.score).backward(retain_graph=True)
        self.opt_d.step()
        self.score.backward()


class Patient(Base):
    def step(self):
        (-self.score).backward()
        self.opt_d.step()


class Hasty(Base):
    def step(self):
        self.score.backward(retain_graph=True)
        self.opt_d.step()
        (-self.score).backward()
"""
CHOICE = """\
import argparse
from gans import Eager, Hasty, Patient


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=str, default="{default}")
    args = parser.parse_args()
    for name, value in vars(args).items():
        print(name, value)
    return args


def make(args):
    if args.model == "eager":
        model = Eager()
    elif args.model == "patient":
        model = Patient()
    elif args.model == "hasty":
        model = Hasty()
    else:
        raise ValueError(args.model)
    return model
"""
TRAIN = """\
import torch
from choice import make, parse

args = parse()
model = make(args)
for step in range(3):
    model.forward(torch.rand(2, 3))
    model.step()
"""


@pytest.mark.parametrize("default", ["eager", "patient", "hasty"])
def test_each_model_that_an_option_chooses_is_trained(project: Project, default: str) -> None:
    project.write("gans.py", GANS)
    project.write("choice.py", CHOICE.format(default=default))
    project.write("train.py", TRAIN)
    assert project.found("train.py") == {("gans.py", 17, "IP102"), ("gans.py", 30, "IP102")}


DOCUMENT = """
def document(function):
    lines = 0
    for _ in range(4):
        for _ in range(4):
            for _ in range(4):
                for _ in range(4):
                    lines += 1
    function.__doc__ = lines * "-"
    return function
"""


def test_a_decorator_that_works_long_leaves_time_for_the_rest(project: Project) -> None:
    project.write("helper.py", DOCUMENT + "\n\ndef scale(y):\n    y.mul_(2)\n")
    documented = "".join(f"\n@document\ndef f{number}(x):\n    return scale(x.exp())\n" for number in range(50))
    project.write("train.py", f"{START}from helper import document, scale\n{documented}y = w.exp()\nscale(y)\n")
    with (project.root / "train.py").open("a", encoding="utf-8") as file:
        file.write("y.sum().backward()\n")
    assert project.found("train.py") == {("helper.py", 14, "IP101")}


def test_a_decorator_of_another_file_that_wraps_is_called(project: Project) -> None:
    project.write(
        "helper.py",
        """
        import functools


        def halve_result(function):
            @functools.wraps(function)
            def run(*args):
                return function(*args).mul_(0.5)

            return run
        """,
    )
    project.write(
        "train.py", START + "from helper import halve_result\n\n@halve_result\ndef f(x):\n    return x.exp()\n"
    )
    with (project.root / "train.py").open("a", encoding="utf-8") as file:
        file.write("\nf(w).sum().backward()\n")
    assert project.found("train.py") == {("helper.py", 8, "IP101")}


LAYERS = """
import torch
from torch import nn

TABLE = {{}}


def register(name):
    def add(cls):
        TABLE[name] = cls
        return cls

    return add


{decorator}
class Squash(nn.Module):
    def forward(self, x):
        y = x.sigmoid()
        y.mul_(2)
        return y


{filling}


def build(name):
    return TABLE[name]()
"""


@pytest.mark.parametrize(
    ("decorator", "filling"),
    [
        ('@register("squash")', ""),
        ("", 'register("squash")(Squash)'),
        ("", 'TABLE["squash"] = Squash'),
        ("", "TABLE.update(squash=Squash)"),
        ("", "for cls in [Squash]:\n    TABLE[cls.__name__.lower()] = cls"),
        ("", 'if torch.cuda:\n    TABLE["squash"] = Squash\n    TABLE["other"] = nn.ReLU'),
    ],
)
def test_a_table_that_its_module_fills_after_making_it(project: Project, decorator: str, filling: str) -> None:
    project.write("layers.py", LAYERS.format(decorator=decorator, filling=filling))
    project.write("train.py", START + 'from layers import build\n\nbuild("squash")(w).sum().backward()\n')
    assert ("layers.py", 20, "IP101") in project.found("train.py")


def test_a_registry_that_its_module_fills_after_making_it(project: Project) -> None:
    project.write(
        "layers.py",
        """
        class Registry:
            def __init__(self):
                self.known = {}

            def register(self, function):
                self.known[function.__name__] = function
                return function

            def get(self, name):
                return self.known[name]


        REGISTRY = Registry()


        @REGISTRY.register
        def squash(x):
            return x.sigmoid()


        @REGISTRY.register
        def shift(x):
            return x + 1
        """,
    )
    uses = 'from layers import REGISTRY\n\ny = REGISTRY.get("{}")(w)\ny.mul_(2)\ny.sum().backward()\n'
    project.write("train.py", START + uses.format("squash"))
    project.write("other.py", START + uses.format("shift"))
    assert project.found("train.py") == {("train.py", 6, "IP101")}
    assert project.found("other.py") == set()


REGISTRY = """
class Registry:
    def __init__(self):
        self._classes = {}

    def register(self, name=None):
        def add(cls):
            key = name or cls.__name__
            if key in self._classes:
                raise KeyError(key)
            self._classes[key] = cls
            return cls

        return add

    def get(self, name):
        return self._classes[name]


LAYERS = Registry()
TABLE = {}


def register(function):
    TABLE[function.__name__] = function
    return function
"""
REGISTERED = """
from torch import nn

from .registry import LAYERS, register


@LAYERS.register()
class Squash(nn.Module):
    def forward(self, x):
        return x.sigmoid()


@LAYERS.register("moved")
class Shift(nn.Module):
    def forward(self, x):
        return x + 1


@register
def squash(x):
    return x.sigmoid()


@register
def shift(x):
    return x + 1
"""


@pytest.mark.parametrize("init", ["from . import layers", "from .layers import *", "from .parts import Squash"])
@pytest.mark.parametrize(
    ("made", "rows"),
    [
        ('LAYERS.get("Squash")()', {5}),
        ('LAYERS.get("moved")()', set()),
        ('TABLE["squash"]', {5}),
        ('TABLE.get("squash", None)', {5}),
        ('(TABLE["squash"] if "squash" in TABLE else torch.neg)', {5}),
        ('(TABLE["none"] if "none" in TABLE else torch.neg)', set()),
        ('TABLE["shift"]', set()),
    ],
)
def test_a_registry_that_other_modules_of_its_package_fill(
    project: Project, init: str, made: str, rows: set[int]
) -> None:
    project.write("net/__init__.py", init)
    project.write("net/registry.py", REGISTRY)
    project.write("net/layers.py", REGISTERED)
    project.write("net/parts.py", "from .layers import Squash\n")
    project.write("train.py", START + f"from net.registry import LAYERS, TABLE\ny = {made}(w)\ny.mul_(2)\n")
    with (project.root / "train.py").open("a", encoding="utf-8") as file:
        file.write("y.sum().backward()\n")
    assert project.found("train.py") == {("train.py", row, "IP101") for row in rows}


def test_an_edit_of_what_is_registered_is_seen(project: Project) -> None:
    project.write("net/__init__.py", "from . import layers")
    project.write("net/registry.py", REGISTRY)
    project.write("net/layers.py", REGISTERED)
    project.write("train.py", START + 'from net.registry import TABLE\ny = TABLE["squash"](w)\ny.mul_(2)\n')
    with (project.root / "train.py").open("a", encoding="utf-8") as file:
        file.write("y.sum().backward()\n")
    assert project.found("train.py") == {("train.py", 5, "IP101")}
    project.write("net/layers.py", REGISTERED.replace("return x.sigmoid()", "return x * 2"))
    assert project.found("train.py") == set()
    project.write("net/layers.py", REGISTERED.replace("def squash(x)", "def press(x)"))
    assert project.found("train.py") == set()


def test_the_modules_in_sight_of_a_registry_are_listed_once_for_all_its_entries(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("net/__init__.py", "from . import layers")
    project.write("net/registry.py", REGISTRY)
    project.write("net/layers.py", REGISTERED)
    project.write("net/more.py", REGISTERED.replace("squash", "squeeze"))
    looked_up = "".join(f'TABLE.get("none{at}")\n' for at in range(20))
    late = 'from net.more import shift\nshift(w)\ny = TABLE["squeeze"](w)\ny.mul_(2)\ny.sum().backward()\n'
    project.write("train.py", f"{START}from net.registry import TABLE\n{looked_up}{late}")
    find, listed = registrations._find_modules, []

    def note(machine: Machine) -> Iterator[ModuleText]:
        listed.append(machine.recorder.site.row)
        return find(machine)

    monkeypatch.setattr(registrations, "_find_modules", note)
    assert project.found("train.py") == {("train.py", 27, "IP101")}
    assert len(listed) <= 4


def test_a_decorator_that_takes_long_registers_each_function_before(project: Project) -> None:
    project.write(
        "registry.py",
        """
        TABLE = {}
        WORDS = [str(number) for number in (1, 2, 3, 4, 5, 6, 7, 8)]


        def register(function):
            TABLE[function.__name__] = function
            text = ""
            for word in WORDS:
                for other in WORDS:
                    text = text + word + other
                    text = text.strip()
            function.__doc__ = text
            return function
        """,
    )
    functions = "".join(f"@register\ndef {name}(x):\n    return x.{name}()\n" for name in ("neg", "exp", "sigmoid"))
    uses = 'y = TABLE["sigmoid"](w)\ny.mul_(2)\ny.sum().backward()\n'
    project.write("train.py", f"{START}from registry import TABLE, register\n{functions}{uses}")
    assert project.found("train.py") == {("train.py", 14, "IP101")}


@pytest.mark.parametrize(
    "recording",
    [
        "for epoch in range(3):\n    losses.append(train(epoch))",
        "for epoch in range(3):\n    train(epoch)",
        "if losses == []:\n    losses.append(train(0))",
    ],
)
def test_a_program_that_records_results_fills_no_table(recording: str) -> None:
    text = (
        f"losses = []\n\n\ndef train(epoch):\n    for step in range(3):\n        losses.append(step)\n\n\n{recording}\n"
    )
    assert not find_filling_units(read_source(text).units)


LONG = "def long():\n" + "".join(f"    a{at} = {at}\n" for at in range(150)) + "    return a1\n"
"""A helper of more statements of another module than a function's run executes: what is called after it is unknown."""
GENERATORS = LONG + (
    "from contextlib import contextmanager\n"
    "def batches(loader):\n    for batch in loader:\n        yield batch\n"
    "@contextmanager\ndef timed():\n    before = 1\n    yield before\n"
    "class Loader:\n    def __iter__(self):\n        yield 1\n        yield 2\n"
)


@pytest.mark.parametrize(
    "body",
    [
        "for batch in batches(loader):\n        w.add_(1)",
        "for at, batch in enumerate(batches(loader)):\n        w.add_(1)",
        "for batch in Loader():\n        w.add_(1)",
        "[w.add_(1) for batch in Loader()]",
        "with timed():\n        w.add_(1)",
        "with timed() as before:\n        w.add_(1)",
    ],
)
def test_what_an_unfollowed_generator_encloses_is_executed(project: Project, body: str):
    project.write("helpers.py", GENERATORS)
    program = f"from helpers import *\n{START}def train(loader):\n    long()\n    {body}\n"
    project.write("main.py", program)
    row = program[: program.index("w.add_")].count("\n") + 1
    assert project.found("main.py") == {("main.py", row, "IP201")}
