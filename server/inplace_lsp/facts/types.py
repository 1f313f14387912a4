"""Types of parameters as jedi infers them: from the calls in sight, docstrings and stubs. Nothing else knows jedi.

jedi works in this process without ever loading a compiled module of the user's environment, so torch is read but never
imported. The first question about a program that uses torch costs seconds; jedi keeps what it read on the disk.
"""

from __future__ import annotations

import sysconfig
import warnings
from collections.abc import Iterable
from os.path import dirname
from typing import Any

from inplace_lsp.disk import only_fit_files
from inplace_lsp.facts.search import installed_roots, own_roots, project_root
from inplace_lsp.interpret.state.facts import Kind, ParameterQuestion

_TENSORS = ("Tensor", "Parameter", "Buffer")
_NUMBERS = ("builtins.int", "builtins.float", "builtins.bool", "builtins.complex")
_SAME = {"builtins.str": "string", "builtins.bytes": "string"}


def infer(text: str, questions: Iterable[ParameterQuestion]) -> dict[ParameterQuestion, Kind]:
    """What is known of the parameters that are asked for, all of them of one file with that text.

    Raises nothing: where jedi fails nothing is known.
    """
    asked = {(one.function, one.name): one for one in questions}
    if not asked:
        return {}
    file = next(iter(asked.values())).file
    found: dict[ParameterQuestion, Kind] = {}
    with warnings.catch_warnings(), only_fit_files():  # jedi says of each compiled module that it cannot load it
        warnings.simplefilter("ignore")
        for function, name, kind in _parameters(text, file, set(asked)):
            found[asked[function, name]] = kind
    return found


def _parameters(text: str, file: str, wanted: set[tuple[str, str]]) -> Iterable[tuple[str, str, Kind]]:
    try:
        script = _script(text, file)
        names = script.get_names(all_scopes=True, definitions=True, references=False)
    except Exception:  # jedi promises little about text that is being typed
        return
    for name in names:
        try:
            function = _function_of(name)
            if (function, name.name) in wanted:
                kind = _kind([one.full_name for one in script.infer(name.line, name.column)])
                if kind is not None:
                    yield function, name.name, kind
        except Exception:
            continue


def _script(text: str, file: str) -> Any:
    from jedi import Project, Script  # noqa: PLC0415 - takes a tenth of a second, and is seldom needed
    from jedi.api.environment import InterpreterEnvironment  # noqa: PLC0415

    library = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")]

    class Environment(InterpreterEnvironment):  # type: ignore[misc]
        """This interpreter, of which compiled modules are loaded from the standard library only."""

        def get_sys_path(self) -> list[str]:
            return list(library)

    folder = dirname(file)
    roots = [*own_roots(folder), *library, *installed_roots(folder), sysconfig.get_path("purelib")]
    project = Project(project_root(folder) or folder, sys_path=list(dict.fromkeys(roots)))
    return Script(text, path=file, project=project, environment=Environment())


def _function_of(name: Any) -> str:
    """`f` or `Class.method` for the name of a parameter, "" for any other name."""
    if name.type != "param":
        return ""
    function = name.parent()
    above = function.parent()
    return f"{above.name}.{function.name}" if above is not None and above.type == "class" else str(function.name)


def _kind(types: list[str | None]) -> Kind | None:
    """The kind that several types have in common; None if they have none."""
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
