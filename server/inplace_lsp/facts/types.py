"""Infer the types of parameters with jedi: from visible calls, docstrings and stubs. Only this module uses jedi.

jedi works in this process without ever loading a compiled module of the user's environment, so torch is read but never
imported. The first question about a program that uses torch costs seconds; jedi keeps what it read on the disk.
"""

from __future__ import annotations

import sysconfig
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os.path import dirname
from pathlib import Path
from pickle import UnpicklingError
from tempfile import TemporaryDirectory
from typing import Any

from inplace_lsp.disk import only_fit_files
from inplace_lsp.environments.find import find_environment
from inplace_lsp.facts.search import find_project_root, list_own_roots
from inplace_lsp.interpret.state.facts import Kind, ParameterQuestion

_TENSORS = ("Tensor", "Parameter", "Buffer")
_NUMBERS = ("builtins.int", "builtins.float", "builtins.bool", "builtins.complex")
_SAME = {"builtins.str": "string", "builtins.bytes": "string"}


def infer_types(text: str, questions: Iterable[ParameterQuestion], python: str = "") -> dict[ParameterQuestion, Kind]:
    """Return the kinds of these parameters of one file with this text, as far as jedi knows them. `python` names the
    environment, "" to search for it.

    Never raises: where jedi fails, the kind stays unknown.
    """
    asked = {(question.function, question.name): question for question in questions}
    if not asked:
        return {}
    file = next(iter(asked.values())).file
    with warnings.catch_warnings(), only_fit_files():  # jedi says of each compiled module that it cannot load it
        warnings.simplefilter("ignore")
        try:
            kinds = list(_infer_kinds(text, file, set(asked), python))
        except _CACHE_ERRORS:
            with _use_empty_cache():
                kinds = list(_infer_kinds(text, file, set(asked), python))
    return {asked[function, name]: kind for function, name, kind in kinds}


_CACHE_ERRORS = (EOFError, UnpicklingError)
"""Errors from reading jedi's cache while another process writes it, or after that process was killed: parso writes in
place."""


@contextmanager
def _use_empty_cache() -> Iterator[None]:
    """Within this block, let jedi use a new, empty cache folder."""
    from jedi import settings  # noqa: PLC0415 - as in _read_program

    shared_folder = settings.cache_directory
    with TemporaryDirectory(ignore_cleanup_errors=True) as settings.cache_directory:
        try:
            yield
        finally:
            settings.cache_directory = shared_folder


def _infer_kinds(text: str, file: str, wanted: set[tuple[str, str]], python: str) -> Iterator[tuple[str, str, Kind]]:
    """Yield function, name and kind of the wanted parameters that jedi can tell. Raises _CACHE_ERRORS."""
    try:
        script, module = _read_program(text, file, python)
        parameters = [found for found in _find_parameters(module) if found[:2] in wanted]
    except _CACHE_ERRORS:
        raise
    except Exception:  # jedi promises little about text that is being typed
        return
    for function, parameter, (row, column) in parameters:
        try:
            kind = _find_common_kind([inferred.full_name for inferred in script.infer(row, column)])
        except _CACHE_ERRORS:
            raise
        except Exception:
            continue
        if kind is not None:
            yield function, parameter, kind


def _read_program(text: str, file: str, python: str) -> tuple[Any, Any]:
    """Return jedi's view of the program, and its syntax tree, which the two share."""
    from jedi import Project, Script  # noqa: PLC0415 - takes a tenth of a second, and is seldom needed
    from jedi.api.environment import InterpreterEnvironment  # noqa: PLC0415

    library = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")]

    class Environment(InterpreterEnvironment):  # type: ignore[misc]
        """This interpreter, restricted to the compiled modules of the standard library."""

        def get_sys_path(self) -> list[str]:
            return list(library)

    folder = dirname(file)
    installed = find_environment(folder, python).packages
    roots = [*list_own_roots(folder), *library, *installed, sysconfig.get_path("purelib")]
    project = Project(find_project_root(folder) or folder, sys_path=list(dict.fromkeys(roots)))
    environment = Environment()
    script = Script(text, path=file, project=project, environment=environment)
    return script, environment.get_grammar().parse(text, path=Path(file).absolute(), diff_cache=True)


def _find_parameters(scope: Any, owner: str = "") -> Iterator[tuple[str, str, tuple[int, int]]]:
    """Yield function (`f` or `Class.method`), name and place of each parameter in parso's tree. Asking jedi for all
    names takes three times as long as the answers."""
    for function in scope.iter_funcdefs():
        for parameter in function.get_params():
            yield f"{owner}{function.name.value}", parameter.name.value, parameter.name.start_pos
        yield from _find_parameters(function)
    for part in scope.iter_classdefs():
        yield from _find_parameters(part, f"{part.name.value}.")


def _find_common_kind(types: list[str | None]) -> Kind | None:
    """Return the kind that several types have in common; None if they have none."""
    kinds: set[Kind] = set()
    for full in types:
        if full is None or full == "builtins.NoneType":
            continue
        if full.startswith("torch") and full.rpartition(".")[2] in _TENSORS:
            kinds.add("tensor")
        elif full in _NUMBERS:
            kinds.add("number")
        else:
            kinds.add("string" if full in _SAME else "other")
    return kinds.pop() if len(kinds) == 1 else None
