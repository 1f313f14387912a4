"""Inputs are found for functions as people write them, named by their source, and the function runs with them."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from inplace_lsp.messages.inputs import Inputs
from inplace_lsp.verify.inputs import find_candidates
from inplace_lsp.verify.inputs.argparse_defaults import argparse_defaults
from inplace_lsp.verify.inputs.call_variants import exceed_bounds
from inplace_lsp.verify.inputs.model import Hints, Missing, SourceFile
from inplace_lsp.verify.inputs.program import read_program
from inplace_lsp.verify.workspace import ProjectFiles
from verify_inputs.trial import Trial

FILE = "/trial/program.py"
HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"


def found(
    program: str,
    target: str,
    hints: Hints | None = None,
    files: Iterable[SourceFile] = (),
    clock: Callable[[], float] = time.process_time,
) -> list:
    text = HEAD + textwrap.dedent(program)
    probe, workspace = Trial(text, FILE, target).probe, Workspace(tuple(files))
    return list(find_candidates(text, FILE, target, probe=probe, hints=hints, workspace=workspace, clock=clock))


def first(program: str, target: str, hints: Hints | None = None) -> Inputs:
    """The first inputs, which must run under torch with data too."""
    text = HEAD + textwrap.dedent(program)
    trial = Trial(text, FILE, target)
    begin = time.process_time()
    result = None
    for candidate in find_candidates(text, FILE, target, probe=trial.probe, hints=hints, clock=time.process_time):
        assert time.process_time() - begin < 4
        assert isinstance(candidate, Inputs), (candidate, result)
        result = trial.real(candidate)
        if result.ok:
            return candidate
    raise AssertionError(result)


@dataclass(frozen=True)
class Workspace:
    files: tuple[SourceFile, ...]

    def files_mentioning(self, word: str) -> Iterable[SourceFile]:
        return [file for file in self.files if word in file.text]

    def data(self, name: str) -> str | None:
        return None

    def module(self, name: str) -> SourceFile | None:
        return next((file for file in self.files if file.module == name), None)


# Directives


def test_a_directive_on_the_line_gives_the_inputs_and_bare_names_are_torchs():
    (candidate,) = found(
        "def f(x, n):  # inplace: verify(x=randn(4, 3, requires_grad=True), n=2)\n    return x * n\n", "f"
    )
    assert candidate.source == "directive"
    assert candidate.arguments == {"x": "torch.randn(4, 3, requires_grad=True)", "n": "2"}


def test_a_directive_above_decorators_over_several_lines_with_an_instance():
    program = """
    class Net(nn.Module):
        def __init__(self, a, b):
            super().__init__()
            self.fc = nn.Linear(a, b)
        # inplace: verify(self=Net(3, 8),
        #     x=randn(4, 3))
        @torch.no_grad()
        def forward(self, x):
            return self.fc(x)
    """
    candidate = first(program, "Net.forward")
    assert (candidate.source, candidate.receiver) == ("directive", "Net(3, 8)")


def test_a_name_of_the_file_wins_over_torchs():
    (candidate,) = found("def rand(n):\n    return n\n# inplace: verify(x=rand(3))\ndef f(x):\n    return x\n", "f")
    assert candidate.arguments == {"x": "rand(3)"}


@pytest.mark.parametrize(
    ("directive", "word"),
    [
        ("verify(x=)", "does not parse"),
        ("verify(randn(3))", "needs the name"),
        ("verify(z=randn(3))", "no parameter `z`"),
        ("verify(n=3)", "no value for `x`"),
        ("verify(x=3, n=1, self=F)", "no method"),
    ],
)
def test_a_wrong_directive_is_told_and_nothing_else_is_tried(directive: str, word: str):
    (candidate,) = found(f"# inplace: {directive}\ndef f(x, n):\n    return x\n", "f")
    assert isinstance(candidate, Missing)
    assert word in candidate.what
    assert "line 4" in candidate.what


def test_a_string_that_looks_like_a_directive_is_none():
    candidate = first('def f(x):\n    "# inplace: verify(x=3)"\n    return x.exp()\n', "f")
    assert candidate.source != "directive"


# Real calls


def test_the_program_itself_calls_through_an_instance():
    program = """
    class Net(nn.Module):
        def forward(self, x):
            return x + 1
    def build():
        return Net()
    if __name__ == "__main__":
        build()(torch.rand(3))
    """
    candidate = first(program, "Net.forward")
    assert candidate.source == "call-site"
    assert candidate.driver is not None
    assert candidate.driver.call is None


TEST = """
import pytest, unittest
from program import scale

@pytest.fixture
def data():
    yield torch.rand(2, 3)

@pytest.mark.parametrize("n, m", [(2, 3), (4, 5)])
def test_scale(data, n, m):
    scale(data, n)

class TestScale(unittest.TestCase):
    def setUp(self):
        self.n = 2
    def test_it(self):
        scale(torch.rand(2), self.n)

def test_elsewhere(tmp_path):
    scale(tmp_path, 1)
"""


def test_tests_of_the_workspace_are_called_with_their_fixtures_and_parameters():
    files = [SourceFile("/trial/test_program.py", "import torch\n" + TEST, "test_program")]
    calls = [
        candidate
        for candidate in found("def scale(x, n):\n    return x * n\n", "scale", files=files)
        if getattr(candidate, "source", "") == "call-site"
    ]
    assert [candidate.driver.call for candidate in calls] == [
        "test_scale(data=next(data()), n=2, m=3)",
        "TestScale('test_it').debug()",
    ]
    assert "@pytest.fixture" not in calls[0].driver.text
    assert calls[0].driver.text.count("\n") == files[0].text.count("\n")


def test_a_doctest_is_a_call():
    program = '''
    def double(x):
        """Twice.

        >>> double(torch.rand(3)).shape
        torch.Size([3])
        """
        return x * 2
    '''
    assert first(program, "double").source == "call-site"


# Annotations


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        (
            "def f(x: \"Float[Tensor, 'b c h w']\"):\n    b, c, h, w = x.shape\n    return x\n",
            "torch.randn(2, 32, 16, 16",
        ),
        ("def f(x: Float[Tensor, '3 4']):\n    return x.exp()\n", "torch.randn(3, 4"),
        (
            'def f(x):\n    """Scale.\n\n    :param x: points (B, N, 3)\n    """\n    return x[..., :3]\n',
            ", 3,",
        ),
        ("def f(x):\n    # x: [batch, 5, 7]\n    return x @ torch.ones(7, 2)\n", "5, 7"),
    ],
)
def test_shapes_are_read_from_annotations_and_texts(program: str, wanted: str):
    text = "from __future__ import annotations\n" + program
    candidate = found_one(text)
    assert wanted in candidate.arguments["x"]
    assert candidate.source in ("annotation", "inferred")


def found_one(text: str) -> Inputs:
    text = text + ("" if "import torch" in text else "import torch\n")
    candidate = next(find_candidates(text, FILE, "f", probe=Trial(text, FILE, "f").probe))
    assert isinstance(candidate, Inputs), candidate
    return candidate


def test_defaults_dataclasses_enums_and_containers():
    program = """
    import dataclasses, enum
    class Kind(enum.Enum):
        A = 1
    @dataclasses.dataclass
    class Config:
        width: int
        rate: float = 0.1
    def f(config: Config, kind: Kind, xs: list[torch.Tensor], scale: float = 2.0, name: "str | None" = None):
        return sum(x * scale for x in xs) * config.width
    """
    candidate = first(program, "f")
    assert candidate.arguments["config"] == "Config(width=16)"
    assert "scale" not in candidate.arguments


# Inference


INFERRED = {
    "attention": (
        """
        class Attention(nn.Module):
            def __init__(self, dim, heads):
                super().__init__()
                self.heads = heads
                self.qkv = nn.Linear(dim, 3 * dim)
            def forward(self, x, mask=None):
                b, n, c = x.shape
                q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
                return ((q @ k.transpose(-2, -1)).softmax(-1) @ v).transpose(1, 2).reshape(b, n, c)
        """,
        "Attention.forward",
    ),
    "embedding and loss": (
        """
        class Model(nn.Module):
            def __init__(self, vocab_size, hidden):
                super().__init__()
                self.table = nn.Embedding(vocab_size, hidden)
                self.out = nn.Linear(hidden, vocab_size)
            def forward(self, tokens, targets):
                logits = self.out(self.table(tokens))
                return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
        """,
        "Model.forward",
    ),
    "two layers of unlike width": (
        """
        class Mix(nn.Module):
            def __init__(self):
                super().__init__()
                self.left = nn.Linear(7, 5)
                self.right = nn.Sequential(nn.Linear(11, 5), nn.ReLU())
            def forward(self, a, b):
                return self.left(a) + self.right(b)
        """,
        "Mix.forward",
    ),
    "a submodule of the file": (
        """
        class Block(nn.Module):
            def __init__(self, cin, cout):
                super().__init__()
                self.conv = nn.Conv2d(cin, cout, 3)
            def forward(self, y):
                return self.conv(y)
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.block = Block(5, 6)
            def forward(self, thing):
                return self.block(torch.relu(thing))
        """,
        "Net.forward",
    ),
    "a training step": (
        """
        def step(model, optimizer, criterion, x, y):
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            return loss.item()
        """,
        "step",
    ),
    "masks, indices and counts": (
        """
        def pick(x, mask, idx, n):
            y = x.exp()
            for i in range(n):
                y = y * 2
            return y[mask].sum() + y[idx].sum()
        """,
        "pick",
    ),
    "einsum": ("def e(a, b):\n    return torch.einsum('bhid,bhjd->bhij', a, b)\n", "e"),
    "a namespace": ("def n(x, cfg):\n    return x * cfg.alpha if cfg.use_scale else x\n", "n"),
    "a batch": ("def l(batch):\n    a, b = batch\n    return F.mse_loss(a, b)\n", "l"),
    "a loader that a helper loops over as well": (
        """
        def helper(loader, w):
            for x, y in loader:
                (x * w).sum().backward()
        def train(loader, w):
            for x, y in loader:
                print(x.shape, y.shape)
            helper(loader, w)
        """,
        "train",
    ),
    "a layer of a part that is empty at first": (
        """
        class Tail(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(32, 4)
            def forward(self, x):
                b, t, d = x.shape
                return self.fc(x[..., 96:])
        """,
        "Tail.forward",
    ),
    "a dict": ("def d(batch):\n    return batch['input_ids'].float().sum() + batch['weight'].sum()\n", "d"),
    "flattened": (
        """
        class Flat(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 4, 3, padding=1)
                self.fc = nn.Linear(4 * 8 * 8, 10)
            def forward(self, x):
                return self.fc(self.conv(x).flatten(1))
        """,
        "Flat.forward",
    ),
}


@pytest.mark.parametrize("case", INFERRED)
def test_inputs_are_inferred(case: str):
    program, target = INFERRED[case]
    assert first(program, target).source == "inferred"


def test_a_nested_function_is_reached_through_the_one_around_it():
    program = "def outer(a):\n    def inner(t):\n        return t.exp()\n    return inner(a)\n"
    candidate = first(program, "outer.<locals>.inner")
    assert candidate.driver is None
    assert list(candidate.arguments) == ["a", "t"]


def test_a_function_that_is_returned_gets_arguments_of_its_own():
    program = "def outer(scale):\n    def inner(t):\n        return t.exp() * scale\n    return inner\n"
    candidate = first(program, "outer.<locals>.inner")
    assert list(candidate.arguments) == ["scale", "t"]


def test_the_modules_own_names_tell_shapes():
    program = "WIDTH = 5\nnet = nn.Sequential(nn.Linear(WIDTH, 7), nn.ReLU())\ndef f(x):\n    return net(x).exp()\n"
    assert ", 5, requires_grad" in first(program, "f").arguments["x"]


def test_what_fails_only_with_data_is_searched_with_data():
    program = "def f(x):\n    return torch.nn.functional.one_hot(x.long(), 3).float() * x[..., None]\n"
    text = HEAD + program
    trial = Trial(text, FILE, "f")
    offered = list(find_candidates(text, FILE, "f", probe=trial.probe))
    assert any(isinstance(candidate, Inputs) and trial.real(candidate).ok for candidate in offered)


@pytest.mark.parametrize(
    ("program", "target"),
    [
        (
            "class Block(nn.Module):\n    def __init__(self, dim, conv):\n        super().__init__()\n"
            "        self.conv = conv(dim, dim, bias=False)\n    def forward(self, x):\n        return self.conv(x)\n",
            "Block.forward",
        ),
        ("def f(cell, xs):\n    h = torch.zeros(2, 3)\n    return torch.stack([cell(x, h) for x in xs])\n", "f"),
        ("def f(weights):\n    return {name: value * 2 for name, value in weights.items()}\n", "f"),
        ("def f(x, how):\n    return torch.meshgrid(x.flatten(), indexing=how.lower())[0] * 2\n", "f"),
        (
            "def f(shadow: dict[str, torch.Tensor], model: nn.Module):\n"
            "    return [shadow[name].mul(one) for name, one in model.named_parameters()]\n",
            "f",
        ),
        ('def f(tokens):\n    """tokens: (B, T) numbers"""\n    return F.one_hot(tokens, 10).float()\n', "f"),
        ("def f(table, rows):\n    return table[rows] * 2\n", "f"),
        ("def f(x, scheduler):\n    return scheduler.step_by(x, 2) * x\n", "f"),
    ],
    ids=[
        "a class to make parts of",
        "a cell",
        "a dictionary",
        "a mode",
        "named tensors",
        "a text",
        "indices",
        "an object with methods",
    ],
)
def test_kinds_are_told_by_use(program: str, target: str):
    assert first(program, target).source in ("inferred", "annotation")


def test_a_configuration_of_another_file_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    fields = "    dim: int\n    heads: int\n    bias: bool = True\n"
    config = f"from dataclasses import dataclass\n\n@dataclass\nclass Config:\n{fields}"
    (tmp_path / "shop_config.py").write_text(config)
    monkeypatch.syspath_prepend(tmp_path)
    program = """
    from shop_config import Config as Settings

    class Heads(nn.Module):
        def __init__(self, settings: Settings):
            super().__init__()
            self.settings = settings
            self.fc = nn.Linear(settings.dim, settings.dim, bias=settings.bias)
        def forward(self, x, mask):
            b, t, _ = x.shape
            y = self.fc(x).view(b, t, self.settings.heads, -1)
            return y.transpose(1, 2).masked_fill(mask, 0.0)
    """
    other = SourceFile("/trial/shop_config.py", config, "shop_config")
    candidates = [inputs for inputs in found(program, "Heads.forward", files=[other]) if isinstance(inputs, Inputs)]
    assert {inputs.receiver for inputs in candidates} == {"Heads(settings=Settings(dim=32, heads=4))"}
    assert any(inputs.arguments["mask"].startswith("torch.rand(2, 4, ") for inputs in candidates)


def test_a_custom_function_is_applied():
    program = """
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2
        @staticmethod
        def backward(ctx, grad):
            return grad * 2
    """
    assert first(program, "Twice.forward").driver.call.startswith("Twice.apply(torch.randn(")
    assert first(program, "Twice.backward").driver.call.endswith(".sum().backward()")


# Hints


def test_a_row_under_a_flag_has_the_flag_set():
    program = """
    class Act(nn.Module):
        def __init__(self, inplace=False):
            super().__init__()
            self.inplace = inplace
        def forward(self, x, mask=None):
            y = x.sigmoid()
            if self.inplace:
                if mask is not None:
                    y[mask] = 0
            return y
    """
    (row,) = [i for i, line in enumerate((HEAD + program).split("\n"), 1) if "y[mask]" in line]
    text = HEAD + textwrap.dedent(program)
    candidate = next(
        find_candidates(text, FILE, "Act.forward", probe=Trial(text, FILE, "Act.forward").probe, hints=Hints((row,)))
    )
    assert candidate.receiver == "Act(inplace=True)"
    assert "mask" in candidate.arguments


def test_an_argument_that_is_written_is_no_leaf_and_one_whose_grad_is_read_is():
    assert ".clone()" in first("def f(x):\n    x += 1\n    return x\n", "f").arguments["x"]
    assert ".clone()" not in first("def f(w):\n    return w.grad is None, w * 2\n", "f").arguments["w"]


# Nothing found


def test_what_is_missing_comes_with_a_directive_to_fill_in():
    program = "def f(x, gadget):\n    return gadget.frobnicate(x, 3)['a'].sum() + gadget.shape.frobs[2].sum()\n"
    last = found(program, "f", clock=lambda: 10 * time.process_time())[-1]  # there is nothing to find for longer
    assert isinstance(last, Missing)
    assert "`gadget`" in last.what
    assert last.directive.startswith("# inplace: verify(x=randn(")
    assert (last.row, last.column) == (4, 0)


@pytest.mark.parametrize("target", ["g", "f.<locals>.g"])
def test_an_unknown_target_is_told(target: str):
    (candidate,) = found("def f():\n    pass\n", target)
    assert isinstance(candidate, Missing)
    assert "no function" in candidate.what


# More ways, where something is to be found


def calls_with_hints(program: str, target: str, word: str) -> list[str]:
    """The calls that are offered where the line with `word` is to be reached."""
    text = HEAD + textwrap.dedent(program)
    (row,) = [i for i, line in enumerate(text.split("\n"), 1) if word in line]
    found_all = found(program, target, Hints((row,)))
    return [
        candidate.driver.call
        for candidate in found_all
        if isinstance(candidate, Inputs) and candidate.driver is not None
    ]


def test_state_is_met_by_a_second_call():
    program = """
    class Counter(nn.Module):
        def __init__(self):
            super().__init__()
            self.state = torch.zeros(3)
        def forward(self, x):
            self.state += x
            return self.state * x
    """
    (twice, *_) = calls_with_hints(program, "Counter.forward", "+=")
    assert twice.startswith("(lambda it: [it(x=")
    assert twice.endswith("(Counter())")


def test_a_helper_is_reached_through_what_calls_it():
    program = "def shift(t):\n    t.add_(1)\ndef work(x):\n    y = x.exp()\n    shift(y)\n    return y\n"
    assert any(call.startswith("work(x=torch.randn(") for call in calls_with_hints(program, "shift", "add_"))


def test_the_case_of_a_match_is_a_value():
    program = """
    def act(y, kind):
        match kind:
            case "shift":
                return y + 1
            case _:
                return y
    """
    assert first(program, "act").arguments["kind"] == "'shift'"


# What the project says


TRAINER = """\
class Trainer:
    def __init__(self, critic, discount, drop):
        self.critic, self.discount, self.drop = critic, discount, drop
        self.total = critic.heads
        self.optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
    def train(self, buffer, batch_size=256):
        state, action = buffer.sample(batch_size)
        values = self.critic(state, action).reshape(batch_size, -1)[:, : self.total - self.drop]
        self.optimizer.zero_grad()
        (values * self.discount).mean().backward()
"""
NETWORK = """\
import torch
class Critic(torch.nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.heads, self.layer = heads, torch.nn.Linear(2 * size, heads)
    def forward(self, state, action):
        return self.layer(torch.cat((state, action), dim=1))
"""
SCRIPT = """\
import argparse
from networks import Critic
from program import Trainer
def main(args, env):
    critic = Critic(env.size, args.heads).to(args.device)
    Trainer(critic=critic, discount=args.discount, drop=args.each * 2).train(env.buffer)
parser = argparse.ArgumentParser()
parser.add_argument("--heads", default=5, type=int)
parser.add_argument("--discount", default="0.99", type=float)
parser.add_argument("-e", "--each", default=2, type=int)
"""


def test_an_object_is_built_as_the_project_builds_it(tmp_path, monkeypatch):
    (tmp_path / "networks.py").write_text(NETWORK)
    monkeypatch.syspath_prepend(str(tmp_path))
    files = [SourceFile("/trial/networks.py", NETWORK, "networks"), SourceFile("/trial/main.py", SCRIPT, "main")]
    *_, last = (
        candidate for candidate in found(TRAINER, "Trainer.train", files=files) if isinstance(candidate, Inputs)
    )
    assert "import_module('networks').Critic(" in (last.receiver or "")
    assert "heads=5), discount=0.99, drop=2 * 2)" in (last.receiver or "")
    assert Trial(HEAD + textwrap.dedent(TRAINER), FILE, "Trainer.train").real(last).ok, last


@pytest.mark.parametrize(
    ("option", "name", "default"),
    [
        ('"--learning-rate", type=float, default=1', "learning_rate", "1"),
        ('"-n", "--count", type=int, default="3"', "count", "3"),
        ('"--fast", action="store_true"', "fast", "False"),
        ('"--lr", dest="rate", default=0.1', "rate", "0.1"),
        ('"-j", default=4', "j", "4"),
        ('"--most", type=float, default="inf"', "most", "float('inf')"),
    ],
)
def test_an_option_is_known_by_the_attribute_that_holds_it(option, name, default):
    program = read_program(f"parser.add_argument({option})\n", FILE)
    assert program is not None
    assert argparse_defaults(program) == {name: default}


@pytest.mark.parametrize(
    "option",
    [
        '"--out"',
        '"--out", default=None',
        '"--out", default=HOME',
        "*flags, default=1",
        '"--out", default=int(1e400)',
        pytest.param('"--out", default=0x1' + 4000 * "0", id="too many digits"),
    ],
)
def test_an_option_without_a_plain_default_is_left_to_be_guessed(option):
    program = read_program(f"parser.add_argument({option})\n", FILE)
    assert program is not None
    assert argparse_defaults(program) == {}


def test_settings_are_those_of_the_command_line_though_they_may_be_called_as_tensors_methods():
    program = """\
        def run(args, x):
            y = x.cuda() if args.cuda else x
            for _ in range(args.epochs):
                y = y * args.gain
            return y
    """
    script = 'p.add_argument("--cuda", action="store_true")\np.add_argument("--gain", default=0.25)\n'
    script += 'p.add_argument("--epochs", default=1000)\n'
    inputs = found(program, "run", files=[SourceFile("/trial/main.py", script, "main")])
    first_of_all = inputs[0]
    assert isinstance(first_of_all, Inputs)
    assert "cuda=False, epochs=1, gain=0.25" in first_of_all.arguments["args"]


def test_an_option_that_leads_to_the_asked_line_by_default_keeps_its_value():
    program = """\
        def run(args, x):
            y = x.exp()
            if args.shape and args.hasty and not args.idle:
                y.add_(len(args.shape))
            return y
    """
    script = 'p.add_argument("--shape", default="round")\np.add_argument("--hasty", action="store_true")\n'
    script += 'p.add_argument("--idle", default=1)\n'
    inputs = found(program, "run", Hints((7,)), files=[SourceFile("/trial/main.py", script, "main")])
    first_of_all = inputs[0]
    assert isinstance(first_of_all, Inputs)
    assert "(shape='round', hasty=True, idle=False)" in first_of_all.arguments["args"]


def test_larger_values_are_made_before_a_graph_begins():
    inputs = Inputs("inferred", arguments={"x": "torch.randn(2, requires_grad=True).clone()", "y": "torch.randn(3)"})
    program = read_program("def f(x, y):\n    return x.clamp(0, 1) + y\n", "/nowhere/program.py")
    assert program is not None
    (larger,) = exceed_bounds(inputs, program.definitions["f"])
    assert larger.arguments == {"x": "(torch.randn(2) * 100).requires_grad_().clone()", "y": "torch.randn(3) * 100"}
    x = eval(larger.arguments["x"], {"torch": torch})
    x.sum().backward()
    x.sum().backward()


def test_a_configuration_that_is_not_there_is_the_one_beside_it_with_the_nearest_name(tmp_path: Path):
    (tmp_path / "models").mkdir()
    for name in ("netv4s-wide.yaml", "data.yaml", "netv5s.json"):
        (tmp_path / "models" / name).write_text(f"name: {name}")
    files = ProjectFiles(str(tmp_path / "models" / "net.py"))
    assert files.data("netv5s.yaml") == "name: netv4s-wide.yaml"
    assert files.data("other/netv5s.yaml") is None
    assert files.data("zzz.yaml") is None


def test_an_index_is_a_list_of_rows():
    program = """
    import torch

    def f(x, chosen, kinds, columns, more):
        x[chosen] = x[chosen] + more
        return x.gather(1, columns) * torch.eye(2)[kinds].sum()
    """
    made = first(textwrap.dedent(program), "f").arguments
    assert made["chosen"] == made["kinds"] == "torch.randint(2, (2,))"
    assert made["columns"] == "torch.randint(2, (2, 32))"
