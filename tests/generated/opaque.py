"""Networks whose class only torch sees: what a program trains comes from `zoo`, which the static analysis cannot read.

A scene says what goes on in a step (`scenes.py`); here is where its networks come from, what steps them, and what holds
them: the script itself, a function's arguments, a trainer's attributes, dicts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generated.builder import Builder
from generated.scenes import SCENES, Scene
from generated.template import NAME, chosen


@dataclass(frozen=True, slots=True)
class Way:
    """Imports and an expression that makes a network (`{kind}`, `{cls}`) or an optimizer (`{net}`)."""

    imports: str
    expression: str


NETWORKS = [
    Way("from zoo.models import build", "build('{kind}'{options})"),
    Way("import zoo", "zoo.create_model('{kind}', pretrained=True{options})"),
    Way("from zoo import models", "models.{cls}(<<|| act='relu' || act='elu'>>)"),
    Way("from zoo.models import *", "{cls}()"),
    Way("from zoo import MODELS", "MODELS['{kind}']()"),
    Way("from zoo.config import instantiate, load_config", "instantiate(load_config('train.yaml').{kind})"),
    Way("from zoo.checkpoints import load_checkpoint", "load_checkpoint('{kind}.pt')['model']"),
    Way(
        "import importlib\nimport os",
        "getattr(importlib.import_module(os.environ.get('ZOO') or 'zoo.models'), '{cls}')()",
    ),
    Way(
        "import os\nimport zoo.models",
        "eval(os.environ.get('MAKE') or 'zoo.models.build')('{kind}'{options})",
    ),
    Way(
        "import zoo.models\nREGISTRY = {}\nfor name, made in vars(zoo.models).items():\n"
        "    if isinstance(made, type) and issubclass(made, nn.Module):\n        REGISTRY[name] = made\n",
        "REGISTRY['{cls}']()",
    ),
    Way(
        "import json\nfrom zoo.models import build\n\n"
        "def make(name, options='{}'):\n    return build(name, **json.loads(options)).to('cpu')\n",
        "make('{kind}')",
    ),
]
OPTIONS = ["", ", act='relu'", ", act='gelu'", ", act='silu'"]

OPTIMIZERS = [
    Way("", "torch.optim.Adam({net}.parameters(), lr=0.01)"),
    Way("", "torch.optim.SGD({net}.parameters(), lr=0.1, momentum=0.9)"),
    Way("from zoo.optim import Lion", "Lion({net}.parameters(), lr=0.01)"),
    Way("from zoo.optim import make_optimizer", "make_optimizer({net}, name='<<adam || lion>>')"),
    Way("from zoo.optim import get_optimizer", "get_optimizer('<<lion || adam>>')({net}.parameters())"),
    Way(
        "from zoo.optim import OPTIMIZERS",
        "OPTIMIZERS['sgd'](<<{net}.parameters() || list({net}.parameters())>>, lr=0.1)",
    ),
    Way("", "getattr(torch.optim, 'AdamW')([p for p in {net}.parameters() if p.requires_grad], lr=0.01)"),
    Way("", "torch.optim.<<RMSprop || Adam>>([{{'params': {net}.parameters(), 'lr': 0.01}}])"),
]


@dataclass
class Made:
    """How one program makes networks and optimizers."""

    builder: Builder
    networks: Way
    optimizers: Way

    def network(self, kind: str) -> str:
        """An expression that makes a network."""
        cls = "".join(word.title() for word in kind.split("_"))
        options = self.builder.random.choice(OPTIONS)
        return self.networks.expression.replace("{kind}", kind).replace("{cls}", cls).replace("{options}", options)

    def optimizer(self, net: str) -> str:
        """An expression that makes an optimizer of a network's parameters."""
        return self.optimizers.expression.format(net=net)


Wrapper = Callable[[Made, Scene, str], str]
"""Writes a whole scene: given is how many steps it takes."""


def in_the_script(made: Made, scene: Scene, steps: str) -> str:
    """Networks, optimizers and the loop on the module level."""
    names = {name: f"${name}" for name in scene.names()}
    lines = [f"${name} = {made.network(kind)}" for name, kind in scene.networks.items()]
    lines += [f"${name}_opt = {made.optimizer(f'${name}')}" for name in scene.trained]
    loop = [f"for $step in range({steps}):", *_indent(scene.lines(names))]
    return "\n".join([*scene.filled(names, scene.before), *lines, *scene.begin(names), *loop])


def in_a_function(made: Made, scene: Scene, steps: str) -> str:
    """Everything but the loop comes as an argument."""
    names = {name: name for name in scene.names()}
    arguments = [*scene.networks, *(f"{name}_opt" for name in scene.trained)]
    body = [
        *scene.begin(names),
        f"for step in range({steps}):",
        *_indent(scene.lines(names)),
    ]
    calls = [f"${name} = {made.network(kind)}" for name, kind in scene.networks.items()]
    given = ", ".join(
        [*(f"${name}" for name in scene.networks), *(made.optimizer(f"${name}") for name in scene.trained)]
    )
    return "\n".join(
        [
            *scene.filled(names, scene.before),
            f"def $train({', '.join(arguments)}):",
            *_indent(body),
            "",
            *calls,
            f"$train({given})",
        ]
    )


def with_its_optimizers(made: Made, scene: Scene, steps: str) -> str:
    """A function that gets networks and makes their optimizers."""
    names = {name: name for name in scene.names()}
    body = [
        *(f"{name}_opt = {made.optimizer(name)}" for name in scene.trained),
        *scene.begin(names),
        f"for step in range({steps}):",
        *_indent(scene.lines(names)),
    ]
    given = ", ".join(made.network(kind) for kind in scene.networks.values())
    head = f"def $train({', '.join(scene.networks)}):"
    return "\n".join([*scene.filled(names, scene.before), head, *_indent(body), "", f"$train({given})"])


def in_a_trainer(made: Made, scene: Scene, steps: str) -> str:
    """A class that gets its networks when it is built."""
    start = [f"self.{name} = {name}" for name in scene.networks]
    return _trainer(made, scene, steps, list(scene.networks), start, "", scene.networks)


def in_an_agent(made: Made, scene: Scene, steps: str) -> str:
    """A class that makes its networks itself."""
    start = [f"self.{name} = {made.network(kind)}" for name, kind in scene.networks.items()]
    return _trainer(made, scene, steps, [], start, "", {})


def in_a_derived_trainer(made: Made, scene: Scene, steps: str) -> str:
    """A class whose base, which nobody sees, keeps what it is given."""
    base = "(BaseTrainer)"
    start = [f"super().__init__({', '.join(f'{name}={name}' for name in scene.networks)})"]
    made.builder.prelude.append("from zoo.train import BaseTrainer")
    return _trainer(made, scene, steps, list(scene.networks), start, base, scene.networks)


def _trainer(
    made: Made, scene: Scene, steps: str, arguments: list[str], start: list[str], base: str, given: dict[str, str]
) -> str:
    names = {name: f"self.{name}" for name in scene.names()}
    start = list(start)
    if not base:
        start += [f"self.{name}_opt = {made.optimizer(f'self.{name}')}" for name in scene.trained]
    start += scene.begin(names)
    return "\n".join(
        [
            *scene.filled(names, scene.before),
            f"class $Trainer{base}:",
            f"    def __init__({', '.join(['self', *arguments])}):",
            *_indent(_indent(start)),
            "",
            "    def update(self):",
            *_indent(_indent(scene.lines(names))),
            "",
            f"$trainer = $Trainer({', '.join(made.network(kind) for kind in given.values())})",
            f"for $step in range({steps}):",
            "    $trainer.update()",
        ]
    )


def in_dicts(made: Made, scene: Scene, steps: str) -> str:
    """Networks and optimizers in dicts."""
    names = {name: f"$nets['{name}']" for name in scene.networks}
    names |= {f"{name}_opt": f"$opts['{name}']" for name in scene.trained}
    names |= {name: f"${name}" for name in scene.state}
    nets = ", ".join(f"'{name}': {made.network(kind)}" for name, kind in scene.networks.items())
    opts = ", ".join(f"'{name}': {made.optimizer(names[name])}" for name in scene.trained)
    several = f"{{$k: {made.optimizer('$nets[$k]')} for $k in {list(scene.trained)!r}}}"
    lines = [
        f"$nets = {{{nets}}}",
        f"$opts = {made.builder.random.choice([f'{{{opts}}}', several])}",
        *scene.begin(names),
        f"for $step in range({steps}):",
        *_indent(scene.lines(names)),
    ]
    return "\n".join([*scene.filled(names, scene.before), *lines])


def _indent(lines: list[str]) -> list[str]:
    return [f"    {line}" if line else line for line in lines]


WRAPPERS: list[Wrapper] = [
    in_the_script,
    in_a_function,
    with_its_optimizers,
    in_a_trainer,
    in_an_agent,
    in_a_derived_trainer,
    in_dicts,
]


def scene(b: Builder) -> bool:
    """A training step with networks that nobody sees."""
    if b.scope.inside != "module":
        return False
    networks, optimizers = b.random.choice(NETWORKS), b.random.choice(OPTIMIZERS)
    wrapper, wanted = b.random.choice(WRAPPERS), b.random.choice(SCENES)
    made = Made(b, networks, optimizers)
    text = wrapper(made, wanted, b.random.choice(wanted.steps))
    for needed in (networks.imports, optimizers.imports, *wanted.imports):
        if needed and needed not in b.prelude:
            b.prelude.append(needed)
    names: dict[str, str] = {}
    for line in chosen(b, text).splitlines():
        b.emit(NAME.sub(lambda match: names.setdefault(match[1], "") or _named(b, names, match[1]), line))
    return True


def _named(b: Builder, names: dict[str, str], wanted: str) -> str:
    names[wanted] = b.name(wanted)
    return names[wanted]
