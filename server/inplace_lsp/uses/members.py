"""Which kind of value has an attribute of a given name: tensors, modules, containers, texts."""

from __future__ import annotations

from functools import lru_cache

from inplace_lsp.torch_ops.table import find_overloads

TENSOR_ATTRIBUTES = frozenset(
    """H T mH mT _version backward data device dtype grad grad_fn imag is_cuda is_leaf itemsize nbytes ndim new numpy
    real register_hook register_post_accumulate_grad_hook requires_grad retain_grad shape share_memory_ storage
    untyped_storage""".split()
)
"""Members of tensors that are not ops."""
_PLAIN = frozenset("index copy items keys values pop append sort count format split join replace type get".split())
"""Attributes of plain Python values, whether tensors have them or not."""
_ANYONES = frozenset(
    """split sort index copy count type size to eval train apply update add pop format repeat put min max sum all any
    mean data view name names map_ float double half cuda cpu numel dim abs round""".split()
)
"""Attributes that tensors have and objects of many other kinds as well."""
_OF_TEXTS = frozenset("startswith endswith lower upper strip lstrip rstrip encode isdigit removeprefix".split())
_OF_DICTS = frozenset("keys items values get update setdefault".split())
_OF_MODULES = frozenset("parameters named_parameters train eval state_dict zero_grad load_state_dict children".split())
OF_CONTAINERS = frozenset("append extend insert keys items get setdefault popitem".split())
"""Attributes that lists and dicts have, and tensors do not."""
STORING = frozenset("add append appendleft extend insert setdefault update".split())
"""The methods of a list, deque, set or dict that store their argument."""
CHANGING = STORING | frozenset("extendleft pop popleft popitem remove clear discard".split())
"""The methods that change a list, deque, set or dict."""


@lru_cache(maxsize=4096)
def is_of_tensors(name: str) -> bool:
    """Return whether tensors have an attribute that plain Python values have not."""
    return name in TENSOR_ATTRIBUTES or (name not in _PLAIN and bool(find_overloads(f"torch.Tensor.{name}")))


@lru_cache(maxsize=4096)
def is_of_tensors_alone(name: str) -> bool:
    """Return whether only tensors have an attribute."""
    return name not in _ANYONES and is_of_tensors(name)


def is_of_modules(name: str) -> bool:
    """Return whether modules have an attribute, and tensors have not."""
    return name in _OF_MODULES


def is_of_texts(name: str) -> bool:
    """Return whether only texts have an attribute."""
    return name in _OF_TEXTS


def is_of_dicts(name: str) -> bool:
    """Return whether dictionaries have an attribute, and tensors have not."""
    return name in _OF_DICTS


def is_plain(name: str) -> bool:
    """Return whether plain Python values have an attribute."""
    return name in _PLAIN
