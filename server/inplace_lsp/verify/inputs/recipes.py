"""Values as recipes: trees that can be written as Python source, and changed leaf by leaf while searching."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Dtype = Literal["float", "long", "bool"]
Path: TypeAlias = "tuple[str, ...]"


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor to be made. Only a floating one can require grad; one that is no leaf is a clone of a leaf."""

    shape: tuple[int, ...]
    dtype: Dtype = "float"
    grad: bool = True
    leaf: bool = True

    def source(self) -> str:
        """The expression that makes it."""
        sizes = ", ".join(map(str, self.shape)) or "()"
        if self.dtype == "long":
            return f"torch.randint(2, ({', '.join(map(str, self.shape))}{',' * (len(self.shape) == 1)}))"
        if self.dtype == "bool":
            return f"torch.rand({sizes}) > 0.5"
        if not self.grad:
            return f"torch.randn({sizes})"
        return f"torch.randn({sizes}, requires_grad=True)" + ("" if self.leaf else ".clone()")


@dataclass(frozen=True, slots=True)
class Number:
    """A number that may be changed while searching."""

    value: int | float

    def source(self) -> str:
        """The literal."""
        return repr(self.value)


@dataclass(frozen=True, slots=True)
class Text:
    """Source that is what it is: a default, a constant, an expression of the user's. `sure`: not to be doubted."""

    text: str
    sure: bool = False

    def source(self) -> str:
        """The expression."""
        return self.text


@dataclass(frozen=True, slots=True)
class Group:
    """Values in a container or a call. `head` is `[`, `(`, `{`, or what is called; digits name nothing."""

    head: str
    items: tuple[tuple[str, Recipe], ...] = ()

    def source(self) -> str:
        """The display or the call."""
        values = [recipe.source() for _, recipe in self.items]
        if self.head == "[":
            return f"[{', '.join(values)}]"
        if self.head == "(":
            return f"({', '.join(values)}{',' * (len(values) == 1)})"
        if self.head == "{":
            pairs = (f"{name!r}: {value}" for (name, _), value in zip(self.items, values, strict=True))
            return f"{{{', '.join(pairs)}}}"
        named = [(name, value) for (name, _), value in zip(self.items, values, strict=True)]
        return f"{self.head}({', '.join(_argument(name, value) for name, value in named)})"

    def get(self, name: str) -> Recipe | None:
        """The item of that name."""
        return next((recipe for key, recipe in self.items if key == name), None)

    def put(self, name: str, recipe: Recipe | None) -> Group:
        """With the item of that name set, or (None) taken away."""
        if recipe is None:
            return Group(self.head, tuple(item for item in self.items if item[0] != name))
        if self.get(name) is None:
            return Group(self.head, (*self.items, (name, recipe)))
        return Group(self.head, tuple((key, recipe if key == name else old) for key, old in self.items))


def _argument(name: str, value: str) -> str:
    if name.startswith("*"):
        return f"*{value}"
    return value if name.isdigit() else f"{name}={value}"


Recipe: TypeAlias = "Tensor | Number | Text | Group"
NONE = Text("None")


def leaves(recipe: Recipe, path: Path = ()) -> Iterator[tuple[Path, Tensor | Number | Text]]:
    """All that is not a group, with the way to it."""
    if isinstance(recipe, Group):
        for name, item in recipe.items:
            yield from leaves(item, (*path, name))
    else:
        yield path, recipe


def groups(recipe: Recipe, path: Path = ()) -> Iterator[tuple[Path, Group]]:
    """All groups, outermost first, with the way to them."""
    if isinstance(recipe, Group):
        yield path, recipe
        for name, item in recipe.items:
            yield from groups(item, (*path, name))


def replaced(group: Group, path: Path, recipe: Recipe | None) -> Group:
    """`group` with what lies at `path` replaced, or (None) taken away."""
    name, rest = path[0], path[1:]
    inner = group.get(name)
    if rest and isinstance(inner, Group):
        return group.put(name, replaced(inner, rest, recipe))
    return group.put(name, recipe)
