"""What a place in a file asks to be run: the function that encloses a line, a qualified name, or the module itself."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from inplace_lsp.facts.search import find_project_root
from inplace_lsp.files.read import UnreadableError, read_source_file

MODULE = "<module>"
LIMIT = 64
"""Maximum number of files of a folder that are asked whether it is a package."""


class TargetError(Exception):
    """There is nothing to run there; the message says why."""


@dataclass(frozen=True, slots=True)
class Target:
    """A definition of a file. `name` is its qualified name as Python has it, `<module>` for the file as a program.

    `row` and `end_row` are those of the whole definition, decorators included; `column` is where it begins.
    """

    name: str
    row: int
    end_row: int
    column: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """How the file is imported: its module's name (None if it has none that Python can import) and `sys.path`."""

    module: str | None
    path: tuple[str, ...]


def target_at_line(text: str, row: int) -> Target:
    """Return the innermost function or method around the 1-based `row`, else the module. Raises TargetError."""
    rows = _count_rows(text)
    if not 1 <= row <= rows:
        raise TargetError(f"there is no line {row}: the file has {rows}")
    around = [target for target in find_targets(text) if target.row <= row <= target.end_row]
    return max(around, key=lambda definition: definition.row, default=module(text))


def target_by_name(text: str, name: str) -> Target:
    """Return the function or method of that qualified name; `.<locals>` may be left out. Raises TargetError."""
    if name == MODULE:
        return module(text)
    wanted = name.replace("::", ".").replace(".<locals>", "")
    found = [target for target in find_targets(text) if target.name.replace(".<locals>", "") == wanted]
    if not found:
        names = ", ".join(target.name for target in find_targets(text)) or "none"
        raise TargetError(f"there is no function {name!r} in the file (functions: {names})")
    return found[-1]


def module(text: str) -> Target:
    """Return the file as a program. Raises TargetError if it does not parse."""
    _parse_text(text)
    return Target(MODULE, 1, _count_rows(text))


def find_targets(text: str) -> tuple[Target, ...]:
    """Return every function and method of the file, in the order of their lines. Raises TargetError."""
    return tuple(_targets_in(_parse_text(text), ""))


def _count_rows(text: str) -> int:
    return text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


def _parse_text(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise TargetError(f"the file does not parse: {error.msg} (line {error.lineno})") from None
    except (RecursionError, MemoryError):
        raise TargetError("the file does not parse: nested too deeply") from None
    except ValueError as error:
        raise TargetError(f"the file does not parse: {error}") from None


def _targets_in(node: ast.AST, prefix: str) -> Iterator[Target]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            name = prefix + child.name
            first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
            yield Target(name, first, child.end_lineno or child.lineno, child.col_offset)
            yield from _targets_in(child, f"{name}.<locals>.")
        elif isinstance(child, ast.ClassDef):
            yield from _targets_in(child, f"{prefix}{child.name}.")
        else:
            yield from _targets_in(child, prefix)


def place_of(filename: str) -> Place:
    """Return the module name of a file by the packages (folders with `__init__.py`) it lies in, and where to import
    from.

    These are the folder of the outermost package and, if it has no package, `src` layouts included, the file's own;
    then the project's root.
    """
    path = Path(filename)
    if not path.is_absolute():  # an editor's text that was never saved
        return Place(None, ())
    folder, names = path.parent, [path.stem] if path.stem != "__init__" else []
    root = find_project_root(str(path.parent))
    while folder.name.isidentifier() and folder.parent != folder and _is_package(folder, path, root):
        names.insert(0, folder.name)
        folder = folder.parent
    importable = bool(names) and all(name.isidentifier() for name in names) and path.suffix == ".py"
    roots = dict.fromkeys([str(folder), *_project_roots(root)])
    return Place(".".join(names) if importable else None, tuple(roots))


def _is_package(folder: Path, path: Path, root: str | None) -> bool:
    return (folder / "__init__.py").exists() or _hides_itself(folder, path, root)


def _hides_itself(folder: Path, path: Path, root: str | None) -> bool:
    """Return whether a folder of a project holds a file of its own name and is imported from as a package by one of its
    files, or by that of `path` below it: with the folder on `sys.path`, `model` would be `model/model.py`."""
    if root is None or str(folder) == root or not (folder / f"{folder.name}.py").is_file():
        return False
    files = dict.fromkeys([path, *islice(sorted(folder.glob("*.py")), LIMIT)])
    return any(
        _imports_from_package(_read_text(file), folder.name, len(file.relative_to(folder).parts)) for file in files
    )


def _read_text(file: Path) -> str:
    try:
        return read_source_file(str(file))
    except UnreadableError:
        return ""


@lru_cache(maxsize=4 * LIMIT)
def _imports_from_package(text: str, package: str, level: int) -> bool:
    """Return whether a file imports from a module of the package, by its name or relatively: with `level` dots."""
    try:
        nodes = list(ast.walk(_parse_text(text)))
    except TargetError:
        return False
    relative = any(isinstance(node, ast.ImportFrom) and node.level >= level for node in nodes)
    modules = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    modules += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return relative or any(name.startswith(f"{package}.") for name in modules)


def _project_roots(root: str | None) -> Iterator[str]:
    """Yield the root of a project, and its `src`."""
    if root is not None:
        yield root
        if os.path.isdir(os.path.join(root, "src")):
            yield os.path.join(root, "src")
