"""Data sets whose files are missing: their items are made up, so that the loop over a loader runs.

A data set of the program that cannot be made because a file or a library is missing, or that found no files, gets items
of as many parts as its `__getitem__` returns: pictures, and labels where the names say so. If it lists a folder that is
not there, that folder has made-up pictures, and the data set makes its items of them, as far as it can. A loader gives
two batches of such items, and works in the process itself, since a run may start no other.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import os
import re
import sys
import textwrap
import traceback
import weakref
from collections.abc import Callable, Iterator, Sized
from functools import cache, wraps
from itertools import islice
from types import FrameType
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset

from inplace_lsp.worker import pictures
from inplace_lsp.worker.listed_folders import invent_files, list_missing_folders
from inplace_lsp.worker.places import INSTALLED
from inplace_lsp.worker.sandbox import RefusedError
from inplace_lsp.worker.stand_in_errors import StandInError
from inplace_lsp.worker.standins import StandIn, parse_file

BATCHES = 2
"""Number of batches of made-up items that a loader gives."""
SMALL = 4
"""Maximum number of items in such a batch, unless the loop reads the batch size."""
_MARK = "_inplace_lsp_made_up"
"""The attribute of a data set whose items are made up; a copy has it, too. It has their height and width, if known."""
_LISTED = "_inplace_lsp_listed"
"""The attribute of a data set that was made of made-up files; its own items are made of those, while that goes well."""
_sizes: dict[int, tuple[int, int] | None] = {}
"""Height and width that data sets are given, by their `id`: their attributes are those of the program alone."""
_LACKING = (FileNotFoundError, NotADirectoryError, StandInError)
_LABELS = frozenset("label labels target targets y cls class category gt_label index idx id ids pid camid".split())
_TEXTS = frozenset("path paths file filename filenames fname name names".split())
_SIZES = frozenset("size shape crop resolution imgsize imsize".split())
_OTHER_SIZES = frozenset("batch data dataset vocab train test val".split())
_SMALLEST = 8
"""Minimum height and width of a picture: a smaller number is one of channels."""
_ABOUT_WORKERS = ("persistent_workers", "prefetch_factor", "multiprocessing_context", "timeout", "worker_init_fn")


def make_up_data(note: Callable[[str], object]) -> None:
    """Make up the items of data sets without files from now on in this process. `note` gets a sentence about each."""

    def mark(data: object, why: str, attribute: str = _MARK) -> None:
        is_new = not is_made_up(data)
        if is_new or (_LISTED in vars(data) and _MARK not in vars(data)):
            vars(data)[attribute] = _sizes.get(id(data))
        if is_new:
            names = " of pictures whose file names (`0.png`, ...) are made up, too" if attribute == _LISTED else ""
            note(f"the data set {type(data).__name__} has no data there ({why}): its items are made up{names}")

    def prepare_subclass(cls: type, /, **named: object) -> None:
        super(Dataset, cls).__init_subclass__(**named)
        for name, wrap in _WRAPPED.items():
            if name in vars(cls):
                setattr(cls, name, wrap(vars(cls)[name], mark))

    Dataset.__init_subclass__ = classmethod(prepare_subclass)
    list_missing_folders()
    _cut_loaders(mark)


def is_made_up(data: object) -> bool:
    """Return whether the items of a data set, or of what it is a part of, are made up."""
    while not isinstance(data, pictures.PictureSet) and not {_MARK, _LISTED} & getattr(data, "__dict__", {}).keys():
        inner = getattr(data, "dataset", None)
        if inner is None or inner is data:
            return False
        data = inner
    return True


Mark = Callable[..., None]
"""Notes that a data set has no data, and why; `_LISTED`: its own items are made of made-up files."""
Method = Callable[..., Any]


def _wrap_constructor(made: Method, mark: Mark) -> Method:
    @wraps(made)
    def constructor(self: object, *args: object, **named: object) -> None:
        if id(self) not in _sizes:
            _sizes[id(self)] = _size_given(made, self, args, named)
            weakref.finalize(self, _sizes.pop, id(self), None)
        try:
            made(self, *args, **named)
        except RefusedError:
            raise
        except _LACKING as error:
            listed = isinstance(error, OSError) and _can_be_made(made, self, args, named)
            mark(self, str(error) or type(error).__name__, _LISTED if listed else _MARK)
        except (AssertionError, RuntimeError) as error:
            if not _is_about_files(error):
                raise
            mark(self, str(error) or "what it asserts of its files does not hold")

    return constructor


def _can_be_made(made: Method, self: object, args: tuple[object, ...], named: dict[str, object]) -> bool:
    """Make a data set once more, of folders that list made-up pictures; return whether that went well."""
    with invent_files(), contextlib.suppress(Exception):
        made(self, *args, **named)
        return True
    return False


_ABOUT_FILES = re.compile(r"\b(isfile|isdir|exists|is_file|is_dir)\b|not found|does not exist")


def _is_about_files(error: Exception) -> bool:
    """Return whether the statement that raised an error, or its message, says that there is no file."""
    lines = traceback.extract_tb(error.__traceback__)
    return _ABOUT_FILES.search(f"{error} {lines[-1].line if isinstance(error, AssertionError) else ''}") is not None


def _wrap_length(count: Method, _mark: Mark) -> Method:
    @wraps(count)
    def length(self: object) -> int:
        return pictures.PictureSet.count if _MARK in vars(self) else int(count(self))

    return length


def _wrap_items(get: Method, mark: Mark) -> Method:
    @wraps(get)
    def item(self: object, index: Any) -> Any:
        found = _get_own_item(get, self, index, mark) if _MARK not in vars(self) else None
        if _MARK not in vars(self):
            return found
        return _make_item(get, index, vars(self).get(_MARK, _sizes.get(id(self))))

    return item


def _get_own_item(get: Method, self: object, index: Any, mark: Mark) -> Any:
    """Return the item that a data set makes itself; mark one that has no data to make it of."""
    listed = _LISTED in vars(self)
    try:
        found = get(self, index)
    except _LACKING as error:
        mark(self, str(error) or type(error).__name__)
        return None
    except Exception as error:
        if not listed:
            raise
        mark(self, str(error) or type(error).__name__)
        return None
    if listed and not _is_of_tensors(found):
        mark(self, "its folder is not there")
    return found


def _is_of_tensors(item: object) -> bool:
    """Return whether an item consists of tensors, numbers and texts: with them a loader makes a batch."""
    if isinstance(item, dict):
        return all(map(_is_of_tensors, item.values()))
    if isinstance(item, (list, tuple)):
        return all(map(_is_of_tensors, item))
    return isinstance(item, (torch.Tensor, int, float, str))


_WRAPPED = {"__init__": _wrap_constructor, "__len__": _wrap_length, "__getitem__": _wrap_items}


def _make_item(get: Method, index: int, size: tuple[int, int] | None) -> Any:
    """Return an item of as many parts as a method's last `return` has."""
    parts = _parts_of_item(get)
    if isinstance(parts, dict):
        return {key: _make_part(name, index, size) for key, name in parts.items()}
    made = tuple(_make_part(name, index, size) for name in parts)
    return made if len(made) != 1 else made[0]


def _make_part(name: str, index: int, size: tuple[int, int] | None = None) -> Any:
    words = name.lower().split("_")
    if not _LABELS.isdisjoint(words):
        return index % 2
    if not _TEXTS.isdisjoint(words):
        return f"{index}.jpg"
    channels = 1 if "mask" in words else 3
    height, width = size or (pictures.sizes_asked_for[-1] if pictures.sizes_asked_for else (64, 64))
    return torch.rand(channels, height, width)


def _size_given(made: Method, self: object, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[int, int] | None:
    """Return the height and width of pictures that a constructor is given, by the name of its parameter."""
    try:
        given = inspect.signature(made).bind_partial(self, *args, **named).arguments
    except TypeError:
        return None
    for name, value in given.items():
        words = name.lower().split("_")
        if _SIZES.isdisjoint(words) or not _OTHER_SIZES.isdisjoint(words):
            continue
        numbers = value if isinstance(value, (list, tuple)) else (value, value)
        sides = [number for number in numbers if type(number) is int and number >= _SMALLEST]
        if len(sides) >= 2:
            return sides[0], sides[1]
    return None


@cache
def _parts_of_item(get: Method) -> tuple[str, ...] | dict[str, str]:
    """Return the names of what a `__getitem__` returns, by key if that is a dictionary."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(get))))
    except (OSError, TypeError, SyntaxError, IndentationError):
        return ("image", "label")
    returned = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value is not None]
    values = _values_of(returned[-1], tree) if returned else []
    if any(isinstance(value, ast.Dict) for value in values):
        return {key: key for key in _keys_of(values, returned[-1], tree)}
    value = values[-1] if values else None
    if isinstance(value, (ast.Tuple, ast.List)):
        return tuple(_name_of(part) for part in value.elts)
    return ("image",) if value is not None else ("image", "label")


def _values_of(node: ast.expr, tree: ast.AST) -> list[ast.expr]:
    """Return what is assigned to a name that is returned."""
    if not isinstance(node, ast.Name):
        return [node]
    assigned = [
        value for target, value in _assignments_in(tree) if isinstance(target, ast.Name) and target.id == node.id
    ]
    return assigned or [node]


def _assignments_in(tree: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the targets of assignments, each with its value."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            yield from ((target, node.value) for target in node.targets)


def _keys_of(values: list[ast.expr], returned: ast.expr, tree: ast.AST) -> list[str]:
    """Return the keys of a dictionary: those of all that may be it, and those that are set in it."""
    keys = [key for value in values if isinstance(value, ast.Dict) for key in value.keys]
    for target, _ in _assignments_in(tree):
        if isinstance(target, ast.Subscript) and ast.unparse(target.value) == ast.unparse(returned):
            keys.append(target.slice)
    return [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]


def _name_of(node: ast.expr) -> str:
    """Return the name that describes a part best: that of a label, else the last in it."""
    if isinstance(node, ast.Constant):
        return "label"
    words = [
        part.id if isinstance(part, ast.Name) else part.attr
        for part in ast.walk(node)
        if isinstance(part, (ast.Name, ast.Attribute))
    ]
    labels = (word for word in words if not _LABELS.isdisjoint(word.lower().split("_")))
    return next(labels, words[-1] if words else "")


class _Unknown(Dataset):  # type: ignore[type-arg, misc, unused-ignore]
    """What takes the place of a data set of a library that is missing."""

    def __init__(self) -> None:
        self.__dict__[_MARK] = None

    def __len__(self) -> int:
        return pictures.PictureSet.count

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        return _make_part("image", index), index % 2


def _cut_loaders(mark: Mark) -> None:
    """Let loaders work in this process, and give few batches of made-up items."""
    make: Method = DataLoader.__init__
    iterate: Method = DataLoader.__iter__

    @wraps(make)
    def constructor(self: object, dataset: Any, *args: Any, **named: Any) -> None:
        if isinstance(dataset, StandIn):
            dataset = _Unknown()
        elif _is_empty(dataset):
            mark(dataset, "it is empty")
        if len(args) > 4:  # the fifth is the number of workers
            args = (*args[:4], 0, *args[5:])
        elif "num_workers" in named:
            named["num_workers"] = 0
        make(self, dataset, *args, **{name: value for name, value in named.items() if name not in _ABOUT_WORKERS})

    def iterated(self: Any) -> Iterator[Any]:
        if not is_made_up(self.dataset):
            whole: Iterator[Any] = iterate(self)
            return whole
        if self.batch_sampler is None:
            return islice(iterate(self), BATCHES)
        most = None if _reads_batch_size(sys._getframe(1)) else SMALL
        batches = (indices[:most] for indices in islice(self.batch_sampler, BATCHES))
        return (self.collate_fn([self.dataset[at] for at in indices]) for indices in batches)

    DataLoader.__init__, DataLoader.__iter__ = constructor, iterated


def _reads_batch_size(frame: FrameType | None) -> bool:
    """Return whether the loop over a loader reads the batch size: then batches of another size may not fit. A loop that
    does not has to take smaller batches anyway: the last of a data set is one."""
    while frame is not None and _is_of_library(frame):
        frame = frame.f_back
    tree = parse_file(frame.f_code.co_filename) if frame is not None else None
    if frame is None or tree is None:
        return True
    row = frame.f_lineno
    loops = [
        node for node in ast.walk(tree) if isinstance(node, ast.For) and node.lineno <= row <= (node.end_lineno or 0)
    ]
    if not loops:
        return True
    innermost = max(loops, key=lambda loop: loop.lineno)
    names = [node for node in ast.walk(innermost) if isinstance(node, (ast.Name, ast.Attribute))]
    bound = {name.id for name in names if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
    words = {name.id if isinstance(name, ast.Name) else name.attr for name in names} - bound
    return any("batch" in word.lower() and "size" in word.lower() for word in words)


def _is_of_library(frame: FrameType) -> bool:
    """Return whether a frame is one of a library, or of a stand-in for one."""
    ours = str(frame.f_globals.get("__name__")).startswith("inplace_lsp.")
    return ours or bool(INSTALLED & set(frame.f_code.co_filename.split(os.sep)))


def _is_empty(data: object) -> bool:
    """Return whether a data set of the program has no items."""
    wrapped = hasattr(getattr(type(data), "__getitem__", None), "__wrapped__")
    return wrapped and isinstance(data, Sized) and isinstance(data, Dataset) and len(data) == 0
