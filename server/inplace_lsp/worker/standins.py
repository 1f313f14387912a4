"""Stand-ins for modules that are not installed: they can be imported, and raise an error that names them once a value
is needed.

Most of what a file imports is not used by the function that is run. So an import statement that nothing guards gets a
stand-in where the module cannot be found. Looking up its attributes, calling them and deriving from them gives further
stand-ins; as soon as a number, a tensor, a truth or an element is asked of one, the error says what is missing.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import os
import sys
import types
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NoReturn

import torch

from inplace_lsp.worker import arrays, environments, library_layers, pictures, progress, vision_models
from inplace_lsp.worker.naming import Arguments, Named
from inplace_lsp.worker.places import INSTALLED
from inplace_lsp.worker.recording import tensors_in
from inplace_lsp.worker.stand_in_errors import StandInError

_FROZEN = "<frozen "
_OF_TORCH = "torch."
_IMPORTING = f"{_FROZEN}importlib._bootstrap"
_LIBRARY = os.path.dirname(os.__file__) + os.sep
_CATCHING = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
_CONTAINERS = frozenset({"ModuleDict", "ModuleList", "Sequential"})
"""Classes that libraries have under the names of torch's: they hold modules, and keep no tensor by themselves."""
_ARITHMETIC = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
_COMPARISONS = "lt le gt ge".split()
_VALUES = "bool float int complex index len next contains bytes array enter_async fspath".split()


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The last finder of a run: it is asked for what no other finds. `missing` are the names of the modules that it
    stood in for, with the file and row of the first import; `given_tensors` what was called with tensors; `made_up` the
    layers that were made in place of others; `random` what gives made-up pictures, or networks with random weights."""

    def __init__(self) -> None:
        self.missing: dict[str, tuple[str, int]] = {}
        self.given_tensors: dict[str, None] = {}
        self.made_up: dict[str, None] = {}
        self.random: dict[str, None] = {}

    def install_finder(self) -> None:
        """Stand in for modules from now on."""
        sys.meta_path.append(self)
        sys.meta_path.insert(0, _NeedyModules(self))

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of a stand-in, if an unguarded import statement asks for the module."""
        root = fullname.partition(".")[0]
        if root not in self.missing:
            frame = _importing_frame()
            if frame is None or _is_guarded(frame.f_code.co_filename, frame.f_lineno):
                return None
            self.missing[fullname if root in sys.modules else root] = (frame.f_code.co_filename, frame.f_lineno)
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        """Return an empty module whose attributes are stand-ins."""
        return _Module(spec.name, self)

    def exec_module(self, module: types.ModuleType) -> None:
        """Run nothing: there is no code."""

    def note_random(self, name: str) -> None:
        """Remember a function or a class that gives made-up pictures, or a network with random weights."""
        self.random[name] = None

    def note_call(self, name: str, arguments: object) -> None:
        """Remember a call that was passed tensors, and might have done something with them."""
        if name not in self.given_tensors and next(_tensors_of(arguments), None) is not None:
            self.given_tensors[name] = None


def _tensors_of(arguments: object) -> Iterator[object]:
    yield from tensors_in(arguments)
    for argument in arguments if isinstance(arguments, (tuple, list)) else ():
        if isinstance(argument, (torch.nn.Module, torch.optim.Optimizer)):
            yield argument


class _NeedyModules(importlib.abc.MetaPathFinder):
    """The first finder of a run: modules of torch that cannot be imported without another package have stand-ins."""

    def __init__(self, stand_ins: StandIns) -> None:
        self._stand_ins = stand_ins

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of a module of torch that an unguarded import statement of the project asks for."""
        frame = _importing_frame() if fullname.startswith(_OF_TORCH) else None
        if frame is None or _is_guarded(frame.f_code.co_filename, frame.f_lineno):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.loader is None:
            return None
        place = frame.f_code.co_filename, frame.f_lineno
        spec.loader = _NeedyLoader(spec.loader, self._stand_ins, place)
        return spec


class _NeedyLoader(importlib.abc.Loader):
    """Loads a module of torch, or puts a stand-in in its place if a package outside torch is missing."""

    def __init__(self, loader: importlib.abc.Loader, stand_ins: StandIns, place: tuple[str, int]) -> None:
        self._loader = loader
        self._stand_ins = stand_ins
        self._place = place

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        """Return the module that torch's own loader makes."""
        return self._loader.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the module. Raises what it raises, apart from the lack of a package."""
        spec = module.__spec__
        assert spec is not None
        spec.loader = module.__loader__ = self._loader
        try:
            self._loader.exec_module(module)
        except ModuleNotFoundError as error:
            needed = (error.name or "torch").partition(".")[0]
            if needed == "torch":
                raise
            self._stand_ins.missing.update({spec.name: self._place, needed: self._place})
            stand_in = importlib.machinery.ModuleSpec(spec.name, self._stand_ins, is_package=True)
            sys.modules[spec.name] = importlib.util.module_from_spec(stand_in)


class _Module(types.ModuleType):
    """A module that is not there."""

    _why: str
    _finder: StandIns

    def __init__(self, name: str, finder: StandIns) -> None:
        super().__init__(name)
        self.__all__: list[str] = []  # `from it import *` brings nothing
        root = name if name in finder.missing else name.partition(".")[0]
        self.__dict__.update(_why=f"the module `{root}` is not installed", _finder=finder)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return _find_known(StandIn(f"{self.__name__}.{name}", self._why, self._finder))


def _find_known(unknown: StandIn) -> object:
    """Return what torch itself has of a module that is not installed, or what is known of it; else the stand-in."""
    name = unknown._name
    if not name.startswith("numpy."):
        made = pictures.KNOWN.get(name, vision_models.KNOWN.get(name))
        if made is not None:
            unknown._finder.note_random(name)
            return made
        return library_layers.KNOWN.get(name, unknown)
    try:
        return arrays.find_member(name, unknown)
    except AttributeError:
        return unknown


class StandIn:
    """What a module that is not installed would have had, or what a call of it would have given. `why` says what is
    missing."""

    _name: str
    _why: str
    _finder: StandIns

    def __init__(self, name: str, why: str, finder: StandIns) -> None:
        self.__dict__.update(_name=name, _why=why, _finder=finder)

    def __getattribute__(self, name: str) -> object:
        return _call_constructor if name == "__init__" else object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return _find_known(self._derive_stand_in(f".{name}"))

    def _derive_stand_in(self, more: str) -> StandIn:
        return type(self)(f"{self._name}{more}", self._why, self._finder)

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Return what a decorator decorates, what a progress bar shows, torch's own container, an environment that is
        made up, or another stand-in."""
        if len(args) == 1 and not kwargs and isinstance(args[0], (types.FunctionType, type)):
            return args[0]  # a decorator
        word = self._name.rpartition(".")[2]
        bar = progress.make_bar(word, args, kwargs)
        if bar is not None:
            return bar
        if word in _CONTAINERS:
            return getattr(torch.nn, word)(*args)
        made: object = environments.make_environment(self._name, args, kwargs)
        if made is None:
            made = self._make_layer(args, kwargs)
        if made is not None:
            return made
        self._finder.note_call(self._name, (*args, *kwargs.values()))
        return self._derive_stand_in("()")

    def _make_layer(self, args: Sequence[object], kwargs: Named) -> object:
        """Return a layer with a weight, if the call asks a class for one between so many channels."""
        name, finder = self._name, self._finder
        made = library_layers.make_layer(name, args, kwargs, lambda tensor: finder.note_call(name, tensor))
        if made is not None:
            finder.made_up[name] = None
        return made

    def __getitem__(self, key: object) -> object:
        return self._derive_stand_in("[...]")

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        """Return the base class for a class of the user's."""
        frame = sys._getframe(1)
        return (_make_base(self._name, is_module=_defines_forward(frame.f_code.co_filename, frame.f_lineno)),)

    def __instancecheck__(self, instance: object) -> bool:
        return False

    def __subclasscheck__(self, subclass: object) -> bool:
        return False

    def __iter__(self) -> Iterator[object]:
        """Iterate over nothing where an imported module fills its tables; refuse in a program or a function, which
        would miss a loop."""
        frame = sys._getframe(1)
        if frame.f_code.co_name != "<module>" or frame.f_globals.get("__name__") == "__main__":
            refuse_value(self)
        return iter(())

    def __enter__(self) -> object:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    def __setitem__(self, key: object, value: object) -> None:
        return None

    def __repr__(self) -> str:
        return f"<{self._name}: {self._why}>"

    @classmethod
    def __torch_function__(
        cls, function: object, _types: object, args: Arguments = (), kwargs: Named | None = None
    ) -> NoReturn:
        given = [*args, *(kwargs or {}).values()]
        flat = [
            item for argument in given for item in (argument if isinstance(argument, (list, tuple)) else [argument])
        ]
        refuse_value(next(value for value in flat if isinstance(value, StandIn)))


def refuse_value(stand_in: StandIn) -> NoReturn:
    """Raise the error that names what is missing, where more than a stand-in is needed."""
    raise StandInError(f"{stand_in._why}, and the code needs what `{stand_in._name}` would have given")


def _refuse_operation(self: StandIn, *_given: object) -> NoReturn:
    refuse_value(self)


def _derive_result(self: StandIn, *_given: object) -> object:
    return self._derive_stand_in("")


for _word in _VALUES:
    setattr(StandIn, f"__{_word}__", _refuse_operation)
for _word in [
    *_ARITHMETIC,
    *(f"r{operator}" for operator in _ARITHMETIC),
    *_COMPARISONS,
    "neg",
    "pos",
    "abs",
    "invert",
]:
    setattr(StandIn, f"__{_word}__", _derive_result)


def _make_base(name: str, *, is_module: bool) -> type:
    """Return a class in place of one that is missing: a module, if a network derives from it."""
    module, _, word = name.rpartition(".")
    base = environments.find_base(name)
    if base is not None:
        return type(word, (base,), {_MADE: True, "__module__": module})
    parent: type = library_layers.BASES.get(word, torch.nn.Module) if is_module else object

    def __init__(self: object, *_args: object, **_kwargs: object) -> None:  # noqa: N807  (a method)
        parent.__dict__["__init__"](self)

    return type(word, (parent,), {"__init__": __init__, _MADE: True, "__module__": module})


_MADE = "_inplace_lsp_base"
"""The attribute of a class that was made in place of one that is missing."""


def _call_constructor(instance: object, *args: object, **kwargs: object) -> None:
    """Do what `Base.__init__(self, ...)` of the program asks for, where its base class was made in place of another."""
    made: Any = next((cls for cls in type(instance).__mro__ if _MADE in vars(cls)), object)
    if made is not object:
        made.__init__(instance, *args, **kwargs)


def _importing_frame() -> types.FrameType | None:
    """Return the frame whose import statement is running; None where a function looks for a module on purpose."""
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(_IMPORTING):
        frame = frame.f_back
    return frame if frame is not None and is_of_project(frame.f_code.co_filename) else None


def is_of_project(filename: str) -> bool:
    """Return whether a file belongs to no library, installed or Python's own."""
    return not filename.startswith((_LIBRARY, _FROZEN)) and not INSTALLED & set(filename.split(os.sep))


@lru_cache(maxsize=256)
def parse_file(filename: str) -> ast.Module | None:
    """Return the syntax tree of a file's text as it runs; None if that does not parse."""
    try:
        return ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _is_guarded(filename: str, row: int) -> bool:
    """Return whether the row is in a `try` that goes on where an import fails."""
    tree = parse_file(filename)
    return tree is None or any(_catches_import_error(node, row) for node in ast.walk(tree) if isinstance(node, ast.Try))


def _catches_import_error(guard: ast.Try, row: int) -> bool:
    inside = guard.body[0].lineno <= row <= (guard.body[-1].end_lineno or 0)
    catching = (one for one in guard.handlers if one.type is None or _names_in(one.type) & _CATCHING)
    return inside and not all(map(_only_complains, catching))


def _only_complains(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler gives the code nothing in place of what could not be imported: it prints and raises."""
    return isinstance(handler.body[-1], ast.Raise) and all(
        isinstance(one, ast.Raise) or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Call))
        for one in handler.body
    )


def _names_in(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _defines_forward(filename: str, row: int) -> bool:
    """Return whether the class whose header is on `row` defines `forward`."""
    tree = parse_file(filename)
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)) if tree is not None else ()
    here = [class_ for class_ in classes if class_.lineno <= row <= (class_.end_lineno or 0)]
    innermost = max(here, key=lambda definition: definition.lineno, default=None)
    return innermost is not None and any(
        isinstance(statement, ast.FunctionDef) and statement.name in ("forward", "training_step")
        for statement in innermost.body
    )
