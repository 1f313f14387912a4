"""What is remembered between edits changes no answer: after each edit the analysis equals that of a fresh start."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from inplace_lsp import engine, outcomes
from inplace_lsp.analysis import Analysis
from inplace_lsp.cancellation import Abandoned, abandon_when
from inplace_lsp.facts.modules import Modules
from inplace_lsp.interpret.entries import budget, entries
from inplace_lsp.memory import AnalysisMemory
from inplace_lsp.tape import move

PROGRAM = """import torch
from torch import nn

SCALE = 2


def soften(x):
    y = x.exp()
    return helper(y)


def helper(t):
    t.mul_(SCALE)
    return t


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        h = torch.sigmoid(self.linear(x))
        return self.act(h)


x = torch.rand(3, requires_grad=True)
y = soften(x)
y.sum().backward()
Block()(torch.rand(2, 3)).sum().backward()
"""


INSERTED = ("\n", " ", "x", "2", "(", "_", "#", "\n\n", "y += 1\n", "SCALE")


def fresh(text: str, monkeypatch: pytest.MonkeyPatch) -> Analysis:
    with monkeypatch.context() as patch:
        patch.setattr(engine, "_MEMORY", AnalysisMemory())
        return engine.analyse_source(text, "/program.py")


def plain(analysis: Analysis) -> Analysis:
    """Without the tapes' order of paths, which is no answer to anybody."""
    return replace(analysis, tapes=())


def test_the_program_has_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {finding.code for finding in fresh(PROGRAM, monkeypatch).findings} == {"IP101"}


@pytest.mark.parametrize("seed", range(6))
def test_random_edits(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    text = PROGRAM
    for _ in range(40):
        at = chance.randrange(len(text) + 1)
        if chance.random() < 0.3:
            text = text[:at] + text[at + chance.randrange(6) :]
        else:
            text = text[:at] + chance.choice(INSERTED) + text[at:]
        if chance.random() < 0.2:
            text = PROGRAM
        assert plain(engine.analyse_source(text, "/program.py")) == plain(fresh(text, monkeypatch)), text


def test_lines_move(monkeypatch: pytest.MonkeyPatch) -> None:
    engine.analyse_source(PROGRAM, "/program.py")
    text = "# a comment\n\n" + PROGRAM.replace("class Block", "\n\nclass Block")
    assert engine.analyse_source(text, "/program.py") == fresh(text, monkeypatch)


@pytest.mark.parametrize("units", range(1, 8))
def test_what_an_abandoned_first_analysis_has_found_is_known(units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the user types while a file that was just opened is analysed."""
    edited = PROGRAM.replace("y.sum()", "y.mean()")
    expected = plain(fresh(edited, monkeypatch))
    monkeypatch.setattr(engine, "_MEMORY", AnalysisMemory())
    asked = iter(range(units))
    with pytest.raises(Abandoned), abandon_when(lambda: next(asked, None) is None):
        engine.analyse_source(PROGRAM, "/program.py")
    ran: list[str] = []
    run = outcomes.run_function
    monkeypatch.setattr(outcomes, "run_function", lambda entry, *rest: ran.append(entry.name) or run(entry, *rest))
    assert plain(engine.analyse_source(edited, "/program.py")) == expected
    if units == 7:
        assert "soften" not in ran


def test_a_helper_changes_its_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    engine.analyse_source(PROGRAM, "/program.py")
    text = PROGRAM.replace("t.mul_(SCALE)", "t = t.mul(SCALE)")
    rows = [finding.span.row for finding in engine.analyse_source(text, "/program.py").findings]
    assert rows == [finding.span.row for finding in fresh(text, monkeypatch).findings]
    assert len(rows) == 1


@pytest.mark.parametrize("statement", ["v[0] = 0.5", "v.data = x", "v[0]: float = 0.5"])
def test_a_number_written_into_a_tensor_is_no_definition(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        "import torch\n\nx = torch.rand(4, requires_grad=True)\nv = x.view(-1)\n{}\nv.mul_(2)\nv.sum().backward()\n"
    )
    engine.analyse_source(program.format(statement), "/program.py")
    text = program.format("pass")
    assert plain(engine.analyse_source(text, "/program.py")) == plain(fresh(text, monkeypatch))


def again(before: str, after: str, monkeypatch: pytest.MonkeyPatch) -> tuple[set[str], Analysis]:
    """What was executed anew when `before` became `after`, and the answer, which must be that of a fresh start."""
    ran: set[str] = set()
    run, program = outcomes.run_function, outcomes.run_program

    def watched(entry, *arguments):
        ran.add(entry.name)
        return run(entry, *arguments)

    def watched_program(*arguments):
        ran.add("<module>")
        return program(*arguments)

    engine.analyse_source(before, "/program.py")
    with monkeypatch.context() as patch:
        patch.setattr(outcomes, "run_function", watched)
        patch.setattr(outcomes, "run_program", watched_program)
        found = engine.analyse_source(after, "/program.py")
    assert found == fresh(after, monkeypatch)
    return ran, found


CHAIN = """import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    '''Two methods.'''

    def __init__(self, width=4):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        y = torch.sigmoid(self.linear(x))
        return self.finish(y)

    def finish(self, y):
        return y.mul(2)

    def describe(self, out):
        out['linear'] = self.linear
        return out


def make(width, **options):
    net = Net(width)
    options['net'] = net
    return options


def use(x, net: Net):
    F.relu_(x)
    return Net().finish(x.exp())
"""


def test_a_comment_or_docstring_is_no_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert again(CHAIN, CHAIN.replace("Two methods", "Three methods"), monkeypatch)[0] == set()
    assert again(CHAIN, CHAIN.replace("return out", "return out  # as it came"), monkeypatch)[0] == set()


def test_a_method_is_judged_again_with_those_who_call_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ran, found = again(CHAIN, CHAIN.replace("y.mul(2)", "y.mul_(2)"), monkeypatch)
    assert ran == {"Net.finish", "Net.forward", "use", "make"}  # `make` may have become one that leads to a write
    assert {finding.code for finding in found.findings} == {"IP101"}
    assert again(CHAIN, CHAIN.replace("out['linear']", "out['it']"), monkeypatch)[0] == {"Net.describe", "make"}


def test_a_constructor_changes_its_class_and_those_who_make_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ran, _ = again(CHAIN, CHAIN.replace("nn.Linear(width, width)", "nn.ReLU(inplace=True)"), monkeypatch)
    assert ran >= {"Net.__init__", "Net.forward", "make"}


def test_what_a_class_says_when_it_is_defined_changes_all_who_ask_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ran, _ = again(CHAIN, CHAIN.replace("(nn.Module)", "(nn.Sequential)"), monkeypatch)
    assert ran >= {"Net.forward", "make", "use"}
    ran, _ = again(CHAIN, CHAIN.replace("width=4", "width=torch.rand(4)"), monkeypatch)
    assert ran >= {"make", "use"}


def test_an_import_changes_only_those_who_ask_for_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    two = CHAIN.replace("from torch import nn\n", "from torch import nn, optim\n")
    assert again(CHAIN, two, monkeypatch)[0] == {"<module>"}
    ran, _ = again(CHAIN, CHAIN.replace("functional as F", "init as F"), monkeypatch)
    assert ran == {"<module>", "use"}


def test_a_function_that_is_only_looked_into_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other branch is worth a path only if what it calls may write."""
    before = (
        "import torch\n\n\ndef helper(t):\n    return t.mul(2)\n\n\n"
        "x = torch.rand(3, requires_grad=True)\ny = x.exp()\nz = y if torch.rand(1) > 0.5 else helper(y)\n"
        "z.sum().backward()\n"
    )
    ran, found = again(before, before.replace("t.mul(2)", "t.mul_(2)"), monkeypatch)
    assert "<module>" in ran
    assert {finding.code for finding in found.findings} == {"IP101"}


def test_a_star_import_changes_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    before = (
        "import torch\nfrom torch.nn.functional import *\n\n\ndef f(x):\n    y = x.exp()\n    relu_(y)\n    return y\n"
    )
    ran, _ = again(before, before.replace("torch.nn.functional import *", "torch.nn.init import *"), monkeypatch)
    assert "f" in ran


def test_a_definition_below_its_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Order counts for the program: what is defined too late is not there."""
    helper = "def helper(t):\n    t.mul_(2)\n\n\n"
    use = "x = torch.rand(3, requires_grad=True)\ny = x.exp()\nhelper(y)\ny.sum().backward()\n\n\n"
    assert again(f"import torch\n\n\n{helper}{use}", f"import torch\n\n\n{use}{helper}", monkeypatch)[0] >= {"<module>"}


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_of_classes(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Now and then several at once, as after a paste; the tapes are the same too."""
    chance = random.Random(seed)
    text = CHAIN
    for _ in range(40):
        for _ in range(chance.choice((1, 1, 1, 3))):
            at = chance.randrange(len(text) + 1)
            cut = chance.randrange(6) if chance.random() < 0.3 else 0
            text = text[:at] + ("" if cut else chance.choice(INSERTED)) + text[at + cut :]
        assert engine.analyse_source(text, "/program.py") == fresh(text, monkeypatch), text
        if chance.random() < 0.5:
            text = CHAIN


CALLED_HARMLESSLY = """import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        h = torch.sigmoid(self.linear(x))
        h.mul_(2)
        return h


with torch.no_grad():
    Block()(torch.rand(3))
"""


def test_lines_that_moved_are_known_to_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    engine.analyse_source(CALLED_HARMLESSLY, "/program.py")
    moved = CALLED_HARMLESSLY.replace("class Block", "# a line more\nclass Block")
    found = engine.analyse_source(moved, "/program.py")
    assert [finding.severity for finding in found.findings] == ["hint"]
    assert plain(found) == plain(fresh(moved, monkeypatch))


def same_as_fresh(before: str, after: str, monkeypatch: pytest.MonkeyPatch) -> Analysis:
    """The analysis of `after` by whoever has analysed `before`, which a fresh start gives as well."""
    assert before != after
    engine.analyse_source(before, "/program.py")
    found = engine.analyse_source(after, "/program.py")
    assert found == fresh(after, monkeypatch)
    return found


ALIKE = """import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.add_(1)
y.sum().backward()

y = x.exp()
y.sum().backward()

y = x.exp()
y.sum().backward()
"""


def test_statements_of_the_same_text_move_each_to_its_own_place(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = "\n" + ALIKE.replace("backward()\n\n", "backward()\n\n\n", 1) + "\n"
    found = same_as_fresh(ALIKE, moved, monkeypatch)
    assert [finding.related[-1].span.row for finding in found.findings] == [7]


def test_functions_of_the_same_text_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    function = "def f(x):\n    y = x.exp()\n    y.add_(1)\n    return y\n\n\n"
    same_as_fresh(f"import torch\n\n\n{function * 3}", f"import torch\n{function * 2}", monkeypatch)
    same_as_fresh(f"import torch\n\n\n{function * 2}", f"import torch\n# one\n{function * 3}pass\n", monkeypatch)


WRAPPER = """import torch
from torch import nn


class Wrapper(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)

    def scale(self):
        self.base.weight.data += 1

    def forward(self, x):
        out = x
        return out


class Trainer(Unseen):
    def __init__(self):
        super().__init__()
        self.left = getattr(self, "state", None)

    def fit(self, x):
        y = self.net(x).exp()
        y.add_(1)
        self.optimizer.step()
        return y

    def more(self):
        pass


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, grad):
        return 2 * grad


class Late:
    def __call__(self, t):
        return t.mul(2)


x = torch.rand(3, requires_grad=True)
y = x.exp()
z = Square.apply(y)
if torch.rand(1) > 0.5:
    z = y
else:
    z = Late()(y)
y.add_(1)
z.sum().backward()
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("out = x\n", "out = self.base(x)\n"),
        ("        pass\n", "        self.net.parameters()\n"),
        ("        pass\n", "        self.state = 1\n"),
        ("        pass\n", "        self.net.zero_grad()\n"),
        ("2 * grad", "2 * grad * ctx.x"),
        ("t.mul(2)", "t.mul_(2)"),
    ],
)
def test_what_is_read_off_a_class_is_that_of_its_text_now(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Methods that are not executed say what others do: which attributes are layers, what a backward needs."""
    after = WRAPPER.replace(old, new)
    same_as_fresh(WRAPPER, after, monkeypatch)
    same_as_fresh(after, WRAPPER, monkeypatch)


METHODS = """import torch


class Pair:
    def first(self, losses):
        for loss in losses:
            loss.backward()

    def second(self, params):
        for p in params:
            p.add_(1)
"""


def test_a_method_asks_for_its_own_parameters_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that does nothing any more is no reason to look for the types of what it was given."""
    found = same_as_fresh(METHODS, METHODS.replace("p.add_(1)", "pass"), monkeypatch)
    assert {wanted.function for wanted in found.wanted} == {"Pair.first"}


def test_a_view_that_nobody_keeps_is_something_the_program_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """So is any attribute: it may be a property, which runs code."""
    same_as_fresh(ALIKE.replace("x.exp()\ny.add_", "x.data\ny.add_"), ALIKE, monkeypatch)
    same_as_fresh(f"{ALIKE}x.data\n", ALIKE, monkeypatch)
    same_as_fresh(f"{ALIKE}z = x.data\n", f"{ALIKE}z = x\n", monkeypatch)


ANNOTATED = """import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, 1)

    def forward(self, x):
        return torch.sigmoid(self.linear(x))


def rate(scorer: Scorer, x):
    y = scorer(x)
    y += 1
    return y
"""


def test_the_class_that_an_annotation_names_changes_those_who_are_given_it(monkeypatch: pytest.MonkeyPatch) -> None:
    abstract = ANNOTATED.replace("return torch.sigmoid(self.linear(x))", "raise NotImplementedError")
    ran, found = again(abstract, ANNOTATED, monkeypatch)
    assert ("rate" in ran, [finding.span.row for finding in found.findings]) == (True, [16])
    ran, found = again(ANNOTATED, abstract, monkeypatch)
    assert ("rate" in ran, found.findings) == (True, ())
    ran, found = again(ANNOTATED, ANNOTATED.replace("sigmoid", "sin"), monkeypatch)
    assert ("rate" in ran, found.findings) == (True, ())
    ran, found = again(ANNOTATED, ANNOTATED.replace("nn.Linear(width, 1)", "nn.Linear(width, 2)"), monkeypatch)
    assert "rate" in ran


def test_a_function_that_is_short_again_leaves_the_functions_below_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "STEPS", 100)
    monkeypatch.setattr(budget, "STEPS_IN_VAIN", 100)
    line = "    x = x + 1\n"
    end = "    y = x.exp()\n    y.add_(1)\n    y.sum().backward()\n"
    long, less, below = (f"def {name}(x):\n{line * lines}" for name, lines in (("f", 60), ("f", 1), ("g", 20)))
    program, short = (f"import torch\n\n\n{first}    x.add_(1)\n\n\n{below}{end}" for first in (long, less))
    assert [gap.function for gap in fresh(program, monkeypatch).gaps if gap.cut] == ["f", "g"]
    ran, found = again(program, short, monkeypatch)
    assert (ran - {"<module>"}, [finding.code for finding in found.findings], found.gaps) == ({"f", "g"}, ["IP101"], ())
    ran, found = again(short, program, monkeypatch)
    assert (ran - {"<module>"}, found.findings) == ({"f", "g"}, ())


TABLE = """import torch

ACTS = {}


def squash(x):
    return x.sigmoid()


def shift(x):
    return x + 1


ACTS["act"] = shift


def f(x: torch.Tensor):
    y = ACTS["act"](x)
    y.mul_(2)
    return y
"""


def test_what_fills_a_table_changes_those_who_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    other = TABLE.replace('"] = shift', '"] = squash')
    same_as_fresh(TABLE, other, monkeypatch)
    same_as_fresh(other, TABLE, monkeypatch)
    same_as_fresh(TABLE, TABLE.replace('ACTS["act"] = shift\n', ""), monkeypatch)


QUIET = """import torch

REGISTRY = []
LAST = {{}}
KEPT = []


def make(size, name="", keep=KEPT, **options):
    {effect}
    return dict(options, size=size, name=name)


make.calls = 0
x = torch.rand(3, requires_grad=True)
y = x.exp()
TABLE = {{"small": make({size}, "{name}"), "large": make(2 * {size}, *{more})}}


def grow(t):
    t.mul_(2)


for act in REGISTRY:
    act(y)
if LAST or make.calls or len(KEPT) > 2:
    y.add_(1)
y.sum().backward()
"""
EDITS = [(1, "a", ()), (2, "a", ()), (3, "b", ()), (3, "grow", ()), (4, "b", ("c",)), (4, "", ()), (5, "", ("grow",))]


def texts_of(effect: str) -> list[str]:
    return [QUIET.format(effect=effect, size=size, name=name, more=more) for size, name, more in EDITS]


def watch_program(texts: list[str], monkeypatch: pytest.MonkeyPatch, **facts) -> list[bool]:
    """Whether the program was run for each text after the first; each answer must be that of a fresh start."""
    ran: list[bool] = []
    program = outcomes.run_program
    engine.analyse_source(texts[0], "/program.py", **facts)
    for text in texts[1:]:
        runs: list[int] = []
        with monkeypatch.context() as patch:
            patch.setattr(outcomes, "run_program", lambda *given, runs=runs: (runs.append(1), program(*given))[1])
            found = engine.analyse_source(text, "/program.py", **facts)
        with monkeypatch.context() as patch:
            patch.setattr(engine, "_MEMORY", AnalysisMemory())
            assert found == engine.analyse_source(text, "/program.py", **facts), text
        ran.append(bool(runs))
    return ran


def test_values_that_nobody_asks_for_do_not_run_the_program_again(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = [QUIET.format(effect="pass", size=size, name=name, more=()) for size, name, _ in EDITS]
    assert not any(watch_program(plain, monkeypatch))
    lower = ["# a line\n" * at + text for at, text in enumerate(plain)]
    assert watch_program(lower, monkeypatch)[-1] is False


EFFECTS = [
    "REGISTRY.append(globals()[name]) if name else None",
    "REGISTRY.append(lambda t: t.mul_(2)) if size > 2 else None",
    "LAST.update(size=size) if size > 2 else None",
    "LAST[name] = size if name else 0",
    "make.calls = make.calls + (size > 3)",
    "make.calls += 1",
    "keep.append(size)",
    "keep.append(size) if size > 6 else None",
    "y.add_(1)",
    "y.add_(size) if size > 2 else None",
    "torch.set_grad_enabled(size < 4)",
    "global REGISTRY; REGISTRY = [grow] if size > 4 else []",
    "assert size < 4",
    "grow(torch.ones(2)) if size > 4 else None",
    "globals()['grow'](y) if size > 4 else None",
    "size = size if torch.rand(1) > 0.5 else grow(y)",
    "x.requires_grad_(size < 4)",
    "x.scale = size",
    "name = undefined_thing(y) if size > 3 else name",
    "options['y'] = y.detach().add_(1) if size > 3 else y",
]


@pytest.mark.parametrize("effect", EFFECTS)
def test_what_a_table_does_besides_counts(effect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    watch_program(texts_of(effect), monkeypatch)


@pytest.mark.parametrize("effect", ["pass", *EFFECTS])
def test_typing_in_a_text_of_a_table(effect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it is known that the text decides nothing, not even the table is executed again; if it does, all is."""
    names = ["a", "ab", "abc", "abcd", "grow", "", "y", "LAST", "y_", "x"]
    watch_program([QUIET.format(effect=effect, size=5, name=name, more=()) for name in names], monkeypatch)


def test_a_text_that_decides_nothing_is_typed_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    observed: list[int] = []
    observe = outcomes.observe_unit
    monkeypatch.setattr(outcomes, "observe_unit", lambda *given: observed.append(1) or observe(*given))
    texts = [QUIET.format(effect="pass", size=5, name="a" * length, more=()) for length in range(1, 9)]
    for text in texts:
        engine.analyse_source(text, "/program.py")
    assert len(observed) == 3  # the table before the first edit, after it, and after the second


def test_a_table_that_is_asked_for_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = [text.replace("if LAST", "if TABLE['small']['size'] > 2") for text in texts_of("pass")]
    assert watch_program(reading, monkeypatch) == [True] * (len(EDITS) - 1)
    called = [text.replace("y.sum()", "(TABLE and y.sum())") for text in texts_of("pass")]
    assert watch_program(called, monkeypatch) == [True] * (len(EDITS) - 1)


OTHER_MODULE = """KNOWN = []
LATEST = None
COUNTS = {{}}


def squash(t):
    return t.mul_(2)


def note(size, name):
    {effect}
    return size
"""


@pytest.mark.parametrize(
    ("effect", "is_quiet"),
    [
        ("pass", True),
        ("size = len(KNOWN) + size", True),
        ("KNOWN.append(squash) if size > 2 else None", False),
        ("KNOWN.append(squash)", False),
        ("COUNTS.setdefault(size, []).append(name)", False),
        ("global LATEST; LATEST = size if size > 4 else None", False),
        ("global NEWEST; NEWEST = size", False),
        ("KNOWN.extend([squash] * (size > 0))", False),
    ],
)
def test_what_a_table_does_to_another_module_counts(
    effect: str, is_quiet: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Modules({"/other.py": OTHER_MODULE.format(effect=effect)})
    using = (
        "if other.KNOWN or other.LATEST or other.COUNTS:\n    y.add_(1)\nfor act in other.KNOWN:\n    act(y)\ny.sum()"
    )
    texts = [
        text.replace("import torch", "import torch\nimport other\nfrom other import note").replace("y.sum()", using)
        for text in texts_of("note(size, name)")
    ]
    ran = watch_program(texts, monkeypatch, facts=other)
    assert all(ran) is not is_quiet


BETWEEN = [
    ("REGISTRY = []", "REGISTRY = [grow]"),
    ("KEPT = []", "KEPT = [1, 2, 3]"),
    ("    return dict(options, size=size, name=name)", "    y.add_(size)\n    return dict(options)"),
    ("y.sum().backward()", "y.sum().backward()\nprint(y)"),
    ("    t.mul_(2)", "    t.mul_(3)"),
    ("make.calls = 0", "make.calls = 1"),
    ("y = x.exp()", "y = x.exp().exp()"),
]


@pytest.mark.parametrize("seed", range(8))
def test_edits_of_a_table_and_of_what_stands_around_it(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known of a table holds as long as nothing before it, and nothing that it calls, is another."""
    chance = random.Random(seed)
    effect = chance.choice(["pass", "keep.append(size) if size > 4 else None", "REGISTRY.extend(name)"])
    done: dict[str, str] = {}
    texts = []
    for size, name, more in [*EDITS, *EDITS, *EDITS]:
        if chance.random() < 0.5:
            old, new = chance.choice(BETWEEN)
            done.pop(old, None) or done.update({old: new})
        text = QUIET.format(effect=effect, size=size, name=name, more=more)
        for old, new in done.items():
            text = text.replace(old, new)
        texts.append(text)
    watch_program(texts, monkeypatch)


def test_lines_that_move_move_no_tape_until_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[str] = []
    move_tape = move.move_tape
    monkeypatch.setattr(move, "move_tape", lambda tape, by: moved.append(tape.function) or move_tape(tape, by))
    text = CHAIN.replace("y.mul(2)", "y.mul(2).add_(1)")  # a write, without which nothing is run
    engine.analyse_source(text, "/program.py")
    for blank in ("\n", "\n\n"):
        found = engine.analyse_source(blank + text.replace("class Net", blank + "class Net"), "/program.py")
    assert moved == []
    assert found == fresh(blank + text.replace("class Net", blank + "class Net"), monkeypatch)
    assert "Net.forward" in moved


@pytest.mark.parametrize("seed", range(4))
def test_lines_move_again_and_again(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    lines = CHAIN.split("\n")
    for _ in range(20):
        at = chance.randrange(len(lines) + 1)
        lines[at:at] = [""] * chance.randrange(3)
        if chance.random() < 0.5:
            blank = [at for at, line in enumerate(lines) if not line]
            del lines[chance.choice(blank)]
        text = "\n".join(lines)
        assert engine.analyse_source(text, "/program.py") == fresh(text, monkeypatch)


CUT = """import torch

x = torch.rand(3, requires_grad=True)
for _ in range(2):
    y = x.exp()
    y.add_(1)
    y.sum().backward()
    y = x.exp()
    y.add_(1)
    y.sum().backward()
"""
DEFINED = (
    "def shift(x):\n    return x + 1\n\n\n",
    "def shift(x, by=x):\n    return x + by\n\n\n",
    "class Net(torch.nn.Module):\n    width = 3\n\n    @property\n    def depth(self):\n        return 2\n\n\n",
    "WIDTHS = [1, 2, 3]\n",
)
"""What a program does not ask for. The names of others that it looks up are asked for by the program already."""


@pytest.mark.parametrize("steps", range(6, 60, 3))
def test_a_program_is_cut_where_it_was_whatever_is_defined_around_it(
    steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it has done by then is taken over, or else is the same."""
    monkeypatch.setattr(engine, "_MEMORY", AnalysisMemory())
    monkeypatch.setattr(entries, "STEPS_OF_PROGRAM", steps)
    for defined in DEFINED:
        more = CUT.replace("for _", f"{defined}for _")
        assert again(CUT, more, monkeypatch)[0] <= {"<module>", "shift", "Net.depth"}
        again(more, CUT, monkeypatch)


RUN_BY_DEFINING = """import torch


def now(function):
    w = torch.ones(3, requires_grad=True)
    y = w.exp()
    y.add_(1)
    y.sum().backward()
    return function


class Base:
    def __init_subclass__(cls):
        now(cls)


class Mark:
    def __set_name__(self, owner, name):
        now(owner)


mark = Mark()
print(1)
"""


@pytest.mark.parametrize(
    "definition",
    [
        "@now\ndef f():\n    pass\n",
        "@now\nclass A:\n    pass\n",
        "class A(Base):\n    pass\n",
        "class A:\n    tag = mark\n",
    ],
)
def test_a_definition_that_calls_code_is_something_the_program_does(
    definition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = f"{RUN_BY_DEFINING}\n\n{definition}"
    assert "<module>" in again(RUN_BY_DEFINING, more, monkeypatch)[0]
    again(more, RUN_BY_DEFINING, monkeypatch)
