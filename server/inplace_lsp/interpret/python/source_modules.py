"""Look up names of other source modules, each executed when it is first needed."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import models
from inplace_lsp.interpret.python.models import binds_name, find_scope, may_bind
from inplace_lsp.interpret.state.facts import ModuleQuestion, ModuleText, find_installed_name
from inplace_lsp.interpret.state.values import Frame, Imported, Library, UserModule, Value

LIBRARIES = frozenset(
    "inplace_lsp torch torchgen numpy builtins typing typing_extensions functools collections math os sys re pytest "
    "unittest PIL matplotlib pandas scipy sklearn skimage".split()
)
"""Packages that are modelled here, or without effect on gradients: their source is never searched."""
MODULES = 60
"""The number of modules of the project that one run may look into, and of installed packages."""
_BUILTIN = frozenset(vars(builtins))


def import_name(machine: Machine, frame: Frame, level: int, module: str, name: str) -> Value:
    """Return what `from module import name` binds: it is looked up when it is used."""
    dotted = f"{module}.{name}" if module else name
    plain = Library(f"{'.' * level}{dotted}")
    if not level and module.partition(".")[0] in LIBRARIES:
        described = models.describes_module(machine, module)
        return Imported(lambda: models.find_in_model(machine, plain.name) or plain, plain) if described else plain
    importer = frame.file

    def resolve_name() -> Value:
        modelled = _find_modelled_import(machine, importer, level, module, name)
        if modelled is not None:
            return modelled
        found = find_namespace(machine, importer, level, module)
        value = found.look_up(name) if found is not None else None
        if value is not None and value != plain:  # `from . import part` in a package finds the package itself
            return value
        submodule = find_namespace(machine, importer, level, dotted)
        return UserModule(submodule, importer, level, f"{module}.{name}") if submodule is not None else plain

    return Imported(resolve_name, plain)


def _find_modelled_import(machine: Machine, importer: str, level: int, module: str, name: str) -> Value | None:
    """Return what a model binds for `from module import name`; None if there is none, or the module is the user's."""
    whole = _find_dotted_name(importer, level, module) if level else module
    if not models.describes_module(machine, whole):
        return None
    modelled = models.find_in_model(machine, f"{whole}.{name}")
    if modelled is None or level or whole in machine.models:
        return modelled
    return None if _is_own(machine, importer, whole) else modelled


def _find_dotted_name(importer: str, level: int, module: str) -> str:
    """Return the dotted name of `module`, behind `level` dots in an installed package's file; "" in other files."""
    names = find_installed_name(importer).split(".")
    above = level - importer.endswith("__init__.py")
    package = names[: len(names) - above]
    return ".".join([*package, *([module] if module else [])]) if any(package) else ""


def import_module(machine: Machine, importer: str, name: str) -> Value:
    """Return what `import name` binds in the file `importer`: a source module, or a library."""
    if name.partition(".")[0] in LIBRARIES:
        return Library(name)

    def resolve_module() -> Value:
        found = find_namespace(machine, importer, 0, name)
        return UserModule(found, importer, 0, name) if found is not None else Library(name)

    return Imported(resolve_module, Library(name))


def _is_own(machine: Machine, importer: str, module: str) -> bool:
    """Return whether the module is the user's own, whatever a model says of a library of that name."""
    found = machine.facts.find_module(ModuleQuestion(importer, 0, module))
    return found is not None and found.own


def find_attribute(machine: Machine, module: UserModule, name: str) -> Value:
    """Return `module.name`: a name that the module binds, or a submodule."""
    whole = _find_dotted_name(module.importer, module.level, module.name.lstrip(".")) if module.level else module.name
    if whole and (module.frame.third_party or whole in machine.models):
        modelled = models.find_in_model(machine, f"{whole}.{name}")
        if modelled is not None:
            return modelled
    found = module.frame.look_up(name)
    if found is not None:
        return found
    below = f"{module.name}.{name}"
    submodule = find_namespace(machine, module.importer, module.level, below)
    if submodule is not None:
        return UserModule(submodule, module.importer, module.level, below)
    return Library(f"{'.' * module.level}{below}")


def set_attribute(module: UserModule, name: str, item: Value) -> None:
    """Execute `module.name = item`, after the module's own binding of the name."""
    module.frame.look_up(name)
    module.frame.names[name] = item


def find_namespace(machine: Machine, importer: str, level: int, module: str) -> Frame | None:
    """Return the scope of another module; None if its source is not in sight."""
    found = machine.facts.find_module(ModuleQuestion(importer, level, module))
    return open_scope(machine, found) if found is not None else None


def open_scope(machine: Machine, module: ModuleText) -> Frame | None:
    """Return the scope of a module; None if the run has looked into as many of its kind as it may."""
    known = machine.modules
    if module.filename not in known and len(known) >= MODULES <= sum(
        f.third_party != module.own for f in known.values()
    ):
        return None
    return find_scope(machine, module)


def _look_up_once(machine: Machine, module: ModuleText, name: str) -> Value | None:
    """Return what a module binds for a name, star imports included; None if it is searched already, or was in vain.

    Packages whose modules import each other with a star would be searched on every way through them.
    """
    key = module.filename, name
    if key in machine.searched:
        return None
    machine.searched.add(key)
    scope = open_scope(machine, module)
    value = scope.look_up(name) if scope is not None else None
    if value is not None:
        machine.searched.discard(key)
    return value


def make_star_lookup(
    machine: Machine, importer: str, modules: Sequence[tuple[int, str]]
) -> Callable[[str], Value | None]:
    """Return a function that looks up names from `from module import *` of `modules` (level and name)."""

    def look_up(name: str) -> Value | None:
        for level, module in () if name.startswith("_") else modules:
            modelled = models.find_in_model(machine, f"{module}.{name}") if not level else None
            if modelled is not None:
                return modelled
            text = machine.facts.find_module(ModuleQuestion(importer, level, module))
            if text is None or not may_bind(text, name):
                continue  # decided without execution: packages import hundreds of modules this way
            if name in _BUILTIN and not text.own and not binds_name(text, name):
                continue  # a package's modules are not searched for `print` and `range`
            value = _look_up_once(machine, text, name)
            if value is not None:
                return value
        return None

    return look_up
