"""Other modules of source: their names, each executed when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import models
from inplace_lsp.interpret.python.models import may_bind, scope_of
from inplace_lsp.interpret.state.facts import ModuleQuestion
from inplace_lsp.interpret.state.frames import Frame, installed_name
from inplace_lsp.interpret.state.values import Imported, Library, UserModule, Value

LIBRARIES = frozenset(
    "inplace_lsp torch torchgen numpy builtins typing typing_extensions functools collections math os sys re".split()
)
"""What is modelled here, or of no interest: never looked for."""
MODULES = 60
"""Modules that one run may look into."""


def imported(machine: Machine, frame: Frame, level: int, module: str, name: str) -> Value:
    """What `from module import name` binds: looked up when it is used."""
    plain = Library(f"{'.' * level}{module}.{name}" if module else f"{'.' * level}{name}")
    if not level and module.partition(".")[0] in LIBRARIES:
        described = models.describes(machine, module)
        return Imported(lambda: models.find(machine, plain.name) or plain, plain) if described else plain
    importer = frame.file

    def resolve() -> Value:
        whole = _whole_name(importer, level, module) if level else module
        modelled = models.find(machine, f"{whole}.{name}") if models.describes(machine, whole) else None
        if modelled is not None and (level or whole in machine.models or not _is_own(machine, importer, whole)):
            return modelled
        found = namespace(machine, importer, level, module)
        value = found.lookup(name) if found is not None else None
        if value is None or value == plain:  # `from . import part` asks the very package that it stands in
            submodule = namespace(machine, importer, level, f"{module}.{name}" if module else name)
            value = UserModule(submodule, importer, level, f"{module}.{name}") if submodule is not None else None
        return value if value is not None else plain

    return Imported(resolve, plain)


def _whole_name(importer: str, level: int, module: str) -> str:
    """The name of `module`, behind `level` dots in a file of an installed package; "" in any other file."""
    names = installed_name(importer).split(".")
    above = level - importer.endswith("__init__.py")
    package = names[: len(names) - above]
    return ".".join([*package, *([module] if module else [])]) if any(package) else ""


def module_named(machine: Machine, importer: str, name: str) -> Value:
    """What `import name` in the file `importer` binds, whole: a module of source, or one of a library."""
    if name.partition(".")[0] in LIBRARIES:
        return Library(name)

    def resolve() -> Value:
        found = namespace(machine, importer, 0, name)
        return UserModule(found, importer, 0, name) if found is not None else Library(name)

    return Imported(resolve, Library(name))


def _is_own(machine: Machine, importer: str, module: str) -> bool:
    """Whether the module is one of the user's own, whatever a model says of a library of that name."""
    found = machine.facts.module(ModuleQuestion(importer, 0, module))
    return found is not None and found.own


def attribute(machine: Machine, module: UserModule, name: str) -> Value:
    """`module.name`: what it binds, or a submodule."""
    whole = _whole_name(module.importer, module.level, module.name.lstrip(".")) if module.level else module.name
    if whole and (module.frame.foreign or whole in machine.models):
        modelled = models.find(machine, f"{whole}.{name}")
        if modelled is not None:
            return modelled
    found = module.frame.lookup(name)
    if found is not None:
        return found
    below = f"{module.name}.{name}"
    submodule = namespace(machine, module.importer, module.level, below)
    if submodule is not None:
        return UserModule(submodule, module.importer, module.level, below)
    return Library(f"{'.' * module.level}{below}")


def set_attribute(module: UserModule, name: str, item: Value) -> None:
    """`module.name = item`: what the module itself binds to the name is bound before."""
    module.frame.lookup(name)
    module.frame.names[name] = item


def namespace(machine: Machine, importer: str, level: int, module: str) -> Frame | None:
    """The scope of another module; None if its source is not in sight."""
    found = machine.facts.module(ModuleQuestion(importer, level, module))
    if found is None:
        return None
    if found.filename not in machine.modules and len(machine.modules) >= MODULES:
        return None
    return scope_of(machine, found)


def starred(machine: Machine, importer: str, modules: Sequence[tuple[int, str]]) -> Callable[[str], Value | None]:
    """How to look up what `from module import *` of `modules` (level and name) brought."""

    def look_up(name: str) -> Value | None:
        for level, module in () if name.startswith("_") else modules:
            modelled = models.find(machine, f"{module}.{name}") if not level else None
            if modelled is not None:
                return modelled
            text = machine.facts.module(ModuleQuestion(importer, level, module))
            if text is None or not may_bind(text, name):
                continue  # found out without executing anything: packages import hundreds of modules this way
            found = namespace(machine, importer, level, module)
            value = None if found is None else found.lookup(name)
            if value is not None:
                return value
        return None

    return look_up
