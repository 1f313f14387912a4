"""What the project gives a class or a function: the arguments of a call of it, followed back to what they are.

`Trainer(critic=critic, tau=args.tau)` with `critic = Critic(state_dim, args.nets).to(DEVICE)` before it tells the class
of an argument, and by the parser's defaults its numbers. What a function was given itself is followed to a call of that
function, else to the default. What nothing tells is left to be guessed.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from inplace_lsp.verify.inputs.argparse_defaults import argparse_defaults
from inplace_lsp.verify.inputs.calls_of import Callee, Site, find_sites
from inplace_lsp.verify.inputs.imports import ImportedNames, read_imported_names
from inplace_lsp.verify.inputs.model import Files, SourceFile
from inplace_lsp.verify.inputs.program import (
    Definition,
    Parameter,
    Program,
    filled_parameters,
    last_name,
    names_in,
    own_parameters,
    parameters_of,
    read_program,
)
from inplace_lsp.verify.inputs.recipes import Group, Recipe, Text, leaves_of

LIMIT = 4
"""Maximum number of files whose command-line options are read."""
DEPTH = 5
"""Maximum number of steps back from an argument."""
_HANDED_ON = frozenset("to cuda cpu train eval float double half requires_grad_".split())
"""Methods of modules and tensors that return what they are called on."""

Make = Callable[[Program, ast.ClassDef], Group]
"""Makes an object of a class of a file by its constructor alone."""


def project_options(program: Program, files: Files) -> dict[str, str]:
    """Return the defaults of the project's command-line options, those of the nearest file first."""
    found = argparse_defaults(program)
    for _, file in zip(range(LIMIT), files.files_mentioning("add_argument"), strict=False):
        other = read_program(file.text, file.path)
        found = {**(argparse_defaults(other) if other is not None else {}), **found}
    return found


@dataclass(frozen=True, slots=True)
class _Trail:
    """The way back from a function over the calls that lead to it. `found`: what follows the arguments of the first
    call of a callee, by how far away that is."""

    files: Files
    make: Make
    found: dict[tuple[Callee, int], _Resolver | None] = field(default_factory=dict)

    def find(self, program: Program, callee: Callee, inner: Site | None = None) -> _Resolver | None:
        """Return what follows the arguments of the first call in the project. `inner`: the call in it from which it is
        asked."""
        key = (callee, 0 if inner is None else inner.depth + 1)
        if key not in self.found:
            site = next(find_sites(program, callee, self.files, inner), None)
            self.found[key] = self._follow(program, site) if site is not None else None
        return self.found[key]

    def _follow(self, program: Program, site: Site) -> _Resolver:
        options = {**program.options, **argparse_defaults(site.program)}
        return _Resolver(
            site, self, options, read_imported_names(site.program.tree, site.program.filename, site.module)
        )


@dataclass(frozen=True, slots=True)
class _Resolver:
    """Follows the expressions of one site back to what they are made of."""

    site: Site
    trail: _Trail
    options: Mapping[str, str]
    imported: ImportedNames
    known: dict[str, Recipe | None] = field(default_factory=dict)

    def given(self, taken: Sequence[Parameter], wanted: Iterable[str]) -> dict[str, Recipe | None]:
        """Return those of the `wanted` parameters that the call fills, None for one that cannot be followed back."""
        named = [(keyword.arg, keyword.value) for keyword in self.site.call.keywords]
        filled = dict(filled_parameters(taken, self.site.call.args, named))
        asked = [name for name in wanted if name in filled]
        for name in asked:
            if name not in self.known:
                self.known[name] = self.recipe(filled[name], DEPTH - self.site.depth)
        return {name: self.known[name] for name in asked}

    def recipe(self, node: ast.expr, depth: int) -> Recipe | None:
        """Return how to make the value of an expression; None where nothing tells."""
        if not depth:
            return None
        with contextlib.suppress(ValueError, TypeError):
            ast.literal_eval(node)
            return Text(ast.unparse(node), sure=True)  # where `repr` would write `inf` for 1e999
        match node:
            case ast.Attribute(value=ast.Name(), attr=name) if name in self.options:
                return Text(self.options[name], sure=True)
            case ast.Name() | ast.Attribute() if (value := self._last_value(ast.unparse(node))) is not None:
                return self.recipe(value, depth - 1)
            case ast.Name(id=name):
                return self._given_parameter(name, depth - 1)
            case ast.Call():
                return self._resolve_call(node, depth)
            case ast.BinOp() | ast.UnaryOp():
                return self._resolve_expression(node, depth - 1)
        return None

    def _resolve_call(self, node: ast.Call, depth: int) -> Recipe | None:
        """Return what a call gives: what it is called on, a copy, an object of a class."""
        match node:
            case ast.Call(func=ast.Attribute(value=held, attr=name)) if name in _HANDED_ON:
                return self.recipe(held, depth)
            case ast.Call(func=called, args=[copied]) if last_name(called) == "deepcopy":
                inner = self.recipe(copied, depth - 1)
                return Group("__import__('copy').deepcopy", (("0", inner),)) if inner is not None else None
        return self._resolve_object(node, depth - 1) or self._resolve_result(node, depth - 1)

    def _last_value(self, written: str) -> ast.expr | None:
        """Return the value of the last plain assignment of a name or attribute before the call, in its function, else
        in the file, unless the function has a parameter of that name."""
        before = [statement for statement in self.site.scope if statement.lineno < self.site.call.lineno]
        taken = parameters_of(self.site.within.node) if self.site.within is not None else ()
        is_taken = written.partition(".")[0] in {parameter.name for parameter in taken}
        for body in (reversed(before), reversed(self.site.program.tree.body if not is_taken else [])):
            for statement in body:
                match statement:
                    case ast.Assign(targets=[target], value=value) if ast.unparse(target) == written:
                        return value
        return None

    def _given_parameter(self, name: str, depth: int) -> Recipe | None:
        """Return what the function round the call is given for a parameter where somebody calls it, else the
        default."""
        within, program = self.site.within, self.site.program
        taken = own_parameters(within) if within is not None else ()
        parameter = next((known for known in taken if known.name == name), None)
        if within is None or parameter is None or not depth:
            return None
        outer = self.trail.find(program, Callee.of_function(program, within), self.site)
        found = outer.given(taken, [name]).get(name) if outer is not None else None
        return found or (self.recipe(parameter.default, depth) if parameter.default is not None else None)

    def _resolve_object(self, call: ast.Call, depth: int) -> Recipe | None:
        """Return an object of a class of the project, by its own constructor and by what this call gives it."""
        found = self._resolve_class(call.func)
        if found is None:
            return None
        home, owner, path = found
        made = self.trail.make(home, owner)
        named = [(keyword.arg, keyword.value) for keyword in call.keywords]
        for name, value in filled_parameters(home.constructor_parameters(owner) or (), call.args, named):
            recipe = self.recipe(value, depth)
            made = made.put(name, recipe) if recipe is not None else made
        return Group(path, made.items)

    def _resolve_result(self, call: ast.Call, depth: int) -> Recipe | None:
        """Return the call of a function of the project, where all that it is given is known. One that reads a command
        line would not return."""
        found = self._resolve_home(call.func)
        name = last_name(call.func) or ""
        function = found[0].definitions.get(name) if found is not None else None
        if found is None or (function is None and not self._is_star_import(name)):
            return None
        if function is not None and "parse_args" in names_in(function.node):
            return None
        given = [*((str(at), value) for at, value in enumerate(call.args)), *((k.arg, k.value) for k in call.keywords)]
        made = [(name, self.recipe(value, depth)) for name, value in given if name is not None]
        known = tuple((name, recipe) for name, recipe in made if recipe is not None)
        return Group(found[1], known) if len(known) == len(given) else None

    def _is_star_import(self, name: str) -> bool:
        """Return whether only a star import of the file that is run can have brought a name."""
        tree, bound = self.site.program.tree, self.site.program.names
        star = any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in tree.body)
        return self.site.own and star and name not in bound and not hasattr(builtins, name)

    def _resolve_class(self, node: ast.expr) -> tuple[Program, ast.ClassDef, str] | None:
        """Return the file of a class, the class, and the expression that names it anywhere."""
        found = self._resolve_home(node)
        owner = found[0].classes.get(last_name(node) or "") if found is not None else None
        return (found[0], owner, found[1]) if found is not None and owner is not None else None

    def _resolve_home(self, node: ast.expr) -> tuple[Program, str] | None:
        """Return the file of what a name of a class or function means, and the expression that names it anywhere."""
        file = self._file_of(node)
        home = read_program(file.text, file.path) if file is not None else self.site.program
        module = file.module if file is not None else self.site.module
        if home is not None and file is None and self.site.own and isinstance(node, ast.Name):
            return home, node.id
        if home is None or module is None:
            return None
        return home, f"__import__('importlib').import_module({module!r}).{last_name(node)}"

    def _file_of(self, node: ast.expr) -> SourceFile | None:
        """Return the file that the name of a class, or of its module, was imported from."""
        if isinstance(node, ast.Name):
            module = self.imported.members.get(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = self.imported.modules.get(node.value.id)
        else:
            return None
        return self.trail.files.module(module) if module is not None else None

    def _resolve_expression(self, node: ast.BinOp | ast.UnaryOp, depth: int) -> Recipe | None:
        """Return an expression of constants and options."""
        parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
        made = [self.recipe(part, depth) for part in parts]
        if not all(isinstance(recipe, Text) for recipe in made):
            return None
        written = [ast.parse(recipe.source(), mode="eval").body for recipe in made if recipe is not None]
        new: ast.expr = (
            ast.BinOp(written[0], node.op, written[1])
            if isinstance(node, ast.BinOp)
            else ast.UnaryOp(node.op, written[0])
        )
        return Text(ast.unparse(ast.fix_missing_locations(new)), sure=True)


def with_sites(program: Program, target: Definition, files: Files, make: Make) -> Program:
    """Return the program with what the project gives the target, and where it makes objects of the target's class."""
    program = replace(program, options=project_options(program, files))
    trail, owner, built = _Trail(files, make), target.owner, {}
    if owner is not None:
        taken = program.constructor_parameters(owner) or ()
        built[owner.name] = _given_arguments(program, Callee.of_class(program, owner), taken, trail)
    if target.outer is None and not target.node.name.startswith("__") and target.node.name != "forward":
        given = _given_arguments(program, Callee.of_function(program, target), own_parameters(target), trail)
        built[target.qualname] = {name: recipe for name, recipe in given.items() if recipe and _is_known(recipe)}
    return replace(program, built={name: given for name, given in built.items() if given})


def _given_arguments(
    program: Program, callee: Callee, taken: Sequence[Parameter], trail: _Trail
) -> dict[str, Recipe | None]:
    """Return the arguments that the first call in the project fills `taken` with."""
    resolver = trail.find(program, callee)
    return resolver.given(taken, [parameter.name for parameter in taken]) if resolver is not None else {}


def _is_known(recipe: Recipe) -> bool:
    """Return whether nothing in a value is guessed: an object with guesses in it does worse than a made-up one."""
    return all(isinstance(leaf, Text) and leaf.sure for _, leaf in leaves_of(recipe))
