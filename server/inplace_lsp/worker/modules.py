"""The user's file as a module: from the text in the editor, under its real name, with the project's own imports."""

from __future__ import annotations

import ast
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import linecache
import os
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from inplace_lsp.worker.cutout import run_main_guard, run_rest

MAIN = "__main__"
INTERCEPT = "__inplace_lsp_intercept__"
"""The name under which a module finds what is put round its target."""

Decorator = Callable[[object], object]


@dataclass(frozen=True)
class SourceFile:
    """A source file whose text need not be the one on the disk. `module` is None where it cannot be imported by name.

    `target` is the qualified name of the definition that is put through `decorator`, if there is one.
    """

    text: str
    filename: str
    module: str | None = None
    target: str = ""
    decorator: Decorator | None = None

    def parse_tree(self) -> ast.Module:
        """Parse the text, with the decorator on the target."""
        tree = ast.parse(self.text, self.filename)
        if self.decorator is not None:
            _TargetDecorator(self.target).visit(tree)  # which changes it in place
        return tree

    def compile_code(self) -> types.CodeType:
        """Compile the text; every line keeps its number."""
        return compile(self.parse_tree(), self.filename, "exec", dont_inherit=True)

    def show_source(self) -> None:
        """Give tracebacks and `inspect` the editor's text."""
        lines = list(io.StringIO(self.text, newline=None))
        linecache.cache[self.filename] = (len(self.text), None, lines, self.filename)


class Unsaved(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports one module from the text in the editor. `module` is what came of it, even if it did not run through."""

    def __init__(self, file: SourceFile, name: str) -> None:
        self._file = file
        self._name = name
        self.module: types.ModuleType | None = None

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of the unsaved module."""
        if fullname != self._name:
            return None
        folders = [os.path.dirname(self._file.filename)] if self.is_package(fullname) else None
        return importlib.util.spec_from_file_location(
            fullname, self._file.filename, loader=self, submodule_search_locations=folders
        )

    def is_package(self, fullname: str) -> bool:
        """Return whether the file is a package's `__init__.py`."""
        return os.path.basename(self._file.filename) == "__init__.py"

    def get_source(self, fullname: str) -> str:
        """Return the editor's text."""
        return self._file.text

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the text."""
        self.module = module
        _run_file(self._file, module)


class SiblingFinder(importlib.abc.MetaPathFinder):
    """Finds what no other finder does beside a file, as code does that is run in its own folder, or in one of the
    folders round that up to the project's, which is among the `roots`. These are not on `sys.path`: there a `random.py`
    would hide Python's own, and beside `model/model.py`, `model` be that file."""

    def __init__(self, filename: str, roots: Sequence[str]) -> None:
        self._folders = [os.path.dirname(filename)]
        above = [str(folder) for folder in Path(filename).parents[1:]]
        known = [at for at, folder in enumerate(above) if folder in roots]
        self._folders += above[: known[-1]] if known else []

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of a module of the folder."""
        return importlib.machinery.PathFinder.find_spec(fullname, self._folders, target) if path is None else None


def load_file(file: SourceFile, wanted: set[str] | None = None) -> tuple[types.ModuleType, BaseException | None]:
    """Import the file. If its top level fails, return the module as far as it was run, with the exception.

    If names are `wanted`, run what they need all the same: skip packages round the file that cannot be imported, run
    what follows the failed statement as far as the names use it, and run what only the program itself binds. Raises the
    import's exception if nothing of the file was run.
    """
    file.show_source()
    name = file.module or _module_stem(file.filename)
    if name in sys.modules:  # a module that torch or Python itself uses must stay what it is
        name += "_"
    finder = Unsaved(file, name)
    sys.meta_path.insert(0, finder)
    module, error = _try_import(name, finder)
    if module is None and wanted is not None:
        _make_bare_packages(file, name)
        module, error = _try_import(name, finder)
    if module is None:
        assert error is not None
        raise error
    if error is not None and wanted is not None:
        sys.modules[name] = module
        run_rest(file.parse_tree(), file.compile_code(), module, error, wanted)
    if wanted is not None and MAIN in file.text:
        run_main_guard(file.parse_tree(), file.compile_code(), module, wanted)
    return module, error


def _try_import(name: str, finder: Unsaved) -> tuple[types.ModuleType | None, BaseException | None]:
    """Import a module; return it (None if none of it was run) and the exception of its import."""
    try:
        return importlib.import_module(name), None
    except (Exception, SystemExit) as error:
        if finder.module is None or not hasattr(finder.module, "__builtins__"):
            return None, error
        sys.modules[name] = finder.module
        return finder.module, error


def _make_bare_packages(file: SourceFile, name: str) -> None:
    """Create empty packages for those round the file that cannot be imported, so that relative imports are found."""
    *parents, _ = name.split(".")
    folder = os.path.dirname(file.filename)
    for count in range(len(parents), 0, -1):
        package = ".".join(parents[:count])
        bare = types.ModuleType(package)
        bare.__path__ = [folder]
        sys.modules.setdefault(package, bare)
        folder = os.path.dirname(folder)


def run_as_main(file: SourceFile) -> None:
    """Run the file as `python FILE` (or `python -m MODULE`) would."""
    file.show_source()
    main = types.ModuleType("__main__")
    main.__file__ = file.filename
    if file.module:  # whoever imports the file gets the text of the editor, too
        sys.meta_path.insert(0, Unsaved(file, file.module))
    package = (file.module or "").rpartition(".")[0]
    main.__package__ = package or None
    if package:
        importlib.import_module(package)
    sys.modules["__main__"] = main
    sys.argv = [file.filename]
    _run_file(file, main)


def _run_file(file: SourceFile, module: types.ModuleType) -> None:
    module.__dict__[INTERCEPT] = file.decorator
    exec(file.compile_code(), module.__dict__)


def _module_stem(filename: str) -> str:
    stem = os.path.basename(filename).partition(".")[0]
    return "".join(letter if letter.isidentifier() or letter.isdigit() else "_" for letter in stem) or "module"


class _TargetDecorator(ast.NodeTransformer):
    """Puts the decorator, outermost, on the definition with a qualified name."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._path: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._visit_inside(node, node.name)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._decorate_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._decorate_function(node)

    def _decorate_function(self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        if ".".join([*self._path, node.name]) == self._target:
            first = node.decorator_list[0] if node.decorator_list else node
            node.decorator_list.insert(0, ast.copy_location(ast.Name(INTERCEPT, ast.Load()), first))
        return self._visit_inside(node, node.name, "<locals>")

    def _visit_inside(self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, *names: str) -> ast.AST:
        self._path.extend(names)
        self.generic_visit(node)
        del self._path[-len(names) :]
        return node
