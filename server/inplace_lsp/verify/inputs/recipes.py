"""Values as recipes: trees that can be written as Python source, and changed leaf by leaf while searching."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from inplace_lsp.uses.types import Dtype

Path: TypeAlias = "tuple[str, ...]"


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor to be made. Only a floating one can require grad; one that is no leaf is a clone of a leaf. `shares`:
    its values are between 0 and 1."""

    shape: tuple[int, ...]
    dtype: Dtype = "float"
    grad: bool = True
    leaf: bool = True
    shares: bool = False

    def source(self) -> str:
        """Return the expression that makes it."""
        sizes = ", ".join(map(str, self.shape)) or "()"
        if self.dtype == "long":
            return f"torch.randint(2, ({', '.join(map(str, self.shape))}{',' * (len(self.shape) == 1)}))"
        if self.dtype == "bool":
            return f"torch.rand({sizes}) > 0.5"
        make = "torch.rand" if self.shares else "torch.randn"
        if not self.grad:
            return f"{make}({sizes})"
        return f"{make}({sizes}, requires_grad=True)" + ("" if self.leaf else ".clone()")


@dataclass(frozen=True, slots=True)
class Number:
    """A number that may be changed while searching."""

    value: int | float

    def source(self) -> str:
        """Return the literal."""
        return repr(self.value)


@dataclass(frozen=True, slots=True)
class Text:
    """Source that is what it is: a default, a constant, an expression of the user's. `sure`: not to be doubted."""

    text: str
    sure: bool = False

    def source(self) -> str:
        """Return the expression."""
        return self.text


@dataclass(frozen=True, slots=True)
class Group:
    """Values in a container or a call. `head` is `[`, `(`, `{`, or what is called; digits name nothing."""

    head: str
    items: tuple[tuple[str, Recipe], ...] = ()

    def source(self) -> str:
        """Return the display or the call."""
        values = [recipe.source() for _, recipe in self.items]
        if self.head == "[":
            return f"[{', '.join(values)}]"
        if self.head == "(":
            return f"({', '.join(values)}{',' * (len(values) == 1)})"
        if self.head == "{":
            pairs = (f"{name!r}: {value}" for (name, _), value in zip(self.items, values, strict=True))
            return f"{{{', '.join(pairs)}}}"
        named = [(name, value) for (name, _), value in zip(self.items, values, strict=True)]
        return f"{self.head}({', '.join(_argument_source(name, value) for name, value in named)})"

    def get(self, name: str) -> Recipe | None:
        """Return the item of that name."""
        return next((recipe for key, recipe in self.items if key == name), None)

    def put(self, name: str, recipe: Recipe | None) -> Group:
        """Return the group with the item of that name set, or removed (None)."""
        if recipe is None:
            return Group(self.head, tuple(item for item in self.items if item[0] != name))
        if self.get(name) is None:
            return Group(self.head, (*self.items, (name, recipe)))
        return Group(self.head, tuple((key, recipe if key == name else old) for key, old in self.items))


def _argument_source(name: str, value: str) -> str:
    if name.startswith("*"):
        return f"*{value}"
    return value if name.isdigit() else f"{name}={value}"


Recipe: TypeAlias = "Tensor | Number | Text | Group"
NONE = Text("None")


def leaves_of(recipe: Recipe, path: Path = ()) -> Iterator[tuple[Path, Tensor | Number | Text]]:
    """Yield every leaf with its path."""
    if isinstance(recipe, Group):
        for name, item in recipe.items:
            yield from leaves_of(item, (*path, name))
    else:
        yield path, recipe


def groups_of(recipe: Recipe, path: Path = ()) -> Iterator[tuple[Path, Group]]:
    """Yield all groups with their paths, outermost first."""
    if isinstance(recipe, Group):
        yield path, recipe
        for name, item in recipe.items:
            yield from groups_of(item, (*path, name))


def replace_at(group: Group, path: Path, recipe: Recipe | None) -> Group:
    """Return `group` with what is at `path` replaced, or removed (None)."""
    name, rest = path[0], path[1:]
    inner = group.get(name)
    if rest and isinstance(inner, Group):
        return group.put(name, replace_at(inner, rest, recipe))
    return group.put(name, recipe)


def recipe_at(group: Group, path: Path) -> Recipe | None:
    """Return what is at `path`; None if nothing is."""
    here: Recipe | None = group
    for name in path:
        here = here.get(name) if isinstance(here, Group) else None
    return here
