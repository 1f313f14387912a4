"""Other modules of source: their names, each executed when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.bindings import bindings, stars
from inplace_lsp.interpret.state.facts import ModuleQuestion, ModuleText
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import Imported, Library, UserModule, Value
from inplace_lsp.source.units import Source, read

LIBRARIES = frozenset(
    "torch torchgen numpy builtins typing typing_extensions functools collections math os sys re".split()
)
"""What is modelled here, or of no interest: never looked for."""
MODULES = 60
"""Modules that one run may look into."""


@lru_cache(maxsize=512)
def parsed(module: ModuleText) -> Source:
    """The module's units; the same object for the same text."""
    return read(module.text)


@lru_cache(maxsize=1024)
def _bound_in(module: ModuleText) -> frozenset[str]:
    units = parsed(module).units
    return frozenset([*bindings(units), *(["*"] if stars(units) else [])])


def _may_bind(module: ModuleText, name: str) -> bool:
    """Whether a module has a unit that binds `name`, or star imports that may."""
    return not _bound_in(module).isdisjoint((name, "*"))


def imported(machine: Machine, frame: Frame, level: int, module: str, name: str) -> Value:
    """What `from module import name` binds: looked up when it is used."""
    plain = Library(f"{'.' * level}{module}.{name}" if module else f"{'.' * level}{name}")
    if not level and module.partition(".")[0] in LIBRARIES:
        return plain
    importer = frame.file

    def resolve() -> Value:
        found = namespace(machine, importer, level, module)
        value = found.lookup(name) if found is not None else None
        if value is None:
            submodule = namespace(machine, importer, level, f"{module}.{name}" if module else name)
            value = UserModule(submodule, importer, level, f"{module}.{name}") if submodule is not None else None
        return value if value is not None else plain

    return Imported(resolve, plain)


def module_named(machine: Machine, frame: Frame, name: str) -> Value:
    """What `import name` binds, whole: a module of source, or one of a library."""
    importer = frame.file
    if name.partition(".")[0] in LIBRARIES:
        return Library(name)

    def resolve() -> Value:
        found = namespace(machine, importer, 0, name)
        return UserModule(found, importer, 0, name) if found is not None else Library(name)

    return Imported(resolve, Library(name))


def attribute(machine: Machine, module: UserModule, name: str) -> Value:
    """`module.name`: what it binds, or a submodule."""
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
    if found.filename not in machine.modules and len(machine.modules) < MODULES:
        machine.modules[found.filename] = machine.scope_of(found, parsed(found).units)
    return machine.modules.get(found.filename)


def starred(machine: Machine, importer: str, modules: Sequence[tuple[int, str]]) -> Callable[[str], Value | None]:
    """How to look up what `from module import *` of `modules` (level and name) brought."""

    def look_up(name: str) -> Value | None:
        for level, module in () if name.startswith("_") else modules:
            text = machine.facts.module(ModuleQuestion(importer, level, module))
            if text is None or not _may_bind(text, name):
                continue  # found out without executing anything: packages import hundreds of modules this way
            found = namespace(machine, importer, level, module)
            value = None if found is None else found.lookup(name)
            if value is not None:
                return value
        return None

    return look_up
