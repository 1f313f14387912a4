"""Answers about one value imply others: code behind tests that exclude each other never runs in one pass."""

from types import SimpleNamespace

import torch


def by_text(x, mode):
    y = x.exp() if mode == "a" else x * 2
    if mode == "b":
        y.add_(1)
    if mode.startswith("b"):
        y.add_(1)
    return y.sum()


def by_end(x, name):
    y = x.exp() if name.endswith(".weight") else x * 2
    if not name.endswith(".weight"):
        y.add_(1)
    return y.sum()


def by_set(x, mode):
    y = x.exp() if mode in ("a", "c") else x * 2
    if mode not in ("a", "c"):
        y.add_(1)
    if mode == "b":
        y.add_(1)
    return y.sum()


def by_order(x, n):
    y = x.tanh() if n == 1 else x + 1
    if n > 1:
        y.mul_(2)
    if 3 <= n:
        y.mul_(2)
    return y.sum()


def by_bound(x, n):
    y = x.tanh() if n < 1 else x + 1
    if n >= 1:
        y.mul_(2)
    return y.sum()


def by_other(x, a, b):
    y = x.tanh() if a > b else x + 1
    if a <= b:
        y.mul_(2)
    return y.sum()


def by_truth(x, n):
    y = x.tanh() if not n else x + 1
    if n > 0:
        y.mul_(2)
    return y.sum()


def by_length(x, parts):
    y = x.tanh() if len(parts) == 0 else x + 1
    if len(parts) > 0:
        y.mul_(2)
    if parts:
        y.mul_(2)
    return y.sum()


def by_emptiness(x, parts):
    y = x.tanh() if not parts else x + 1
    if len(parts) > 0:
        y.mul_(2)
    for part in parts:
        y.mul_(part)
    return y.sum()


def by_rank(x):
    y = x.tanh() if x.dim() == 2 else x + 1
    if x.ndim == 3:
        y.mul_(2)
    return y.sum()


def by_extent(x):
    y = x.tanh() if x.shape[0] == 2 else x + 1
    if x.size(0) != 2:
        y.mul_(2)
    return y.sum()


def by_class(x, m):
    y = x.tanh() if isinstance(m, str) else x + 1
    if isinstance(m, (list, tuple)):
        y.mul_(2)
    if m == 3:
        y.mul_(2)
    return y.sum()


def by_what_it_has(x, m):
    y = x.tanh() if hasattr(m, "scale") else x + 1
    if not hasattr(m, "scale"):
        y.mul_(2)
    return y.sum()


def by_rest(x, n, period):
    y = x.tanh() if n % 2 == 0 else x + 1
    if n % 2 == 1:
        y.mul_(2)
    z = x.tanh() if (n + 1) % period == 0 else x + 1
    if (n + 1) % period:
        z.mul_(2)
    if n % 2 == 2:
        y.mul_(2)
    return y.sum() + z.sum()


def by_every_other(x, parts):
    total = x.sum()
    for at, part in enumerate(parts):
        y = x.tanh() if at % 2 == 0 else x + part
        if at % 2:
            y.mul_(2)
        total = total + y.sum()
    return total


def by_product(x, n, limit):
    y = x.tanh() if n > limit * 2 else x + 1
    if n <= limit * 2:
        y.mul_(2)
    return y.sum()


def by_entry(x, options):
    y = x.tanh() if options.get("fast") else x + 1
    if not options.get("fast"):
        y.mul_(2)
    return y.sum()


def by_small_letters(x, name):
    y = x.tanh() if name.lower() == "adam" else x + 1
    if name.lower() == "sgd":
        y.mul_(2)
    return y.sum()


def by_call(x, scale):
    y = x.tanh() if callable(scale) else x + 1
    if not callable(scale):
        y.mul_(2)
    return y.sum()


def by_kind(x):
    y = x.tanh() if x.is_floating_point() else x + 1
    if not x.is_floating_point():
        y.mul_(2)
    return y.sum()


def by_setting(x, options):
    y = x.tanh() if options.mode == "fast" else x + 1
    if options.mode == "slow":  # tensors have a method `mode`, settings have a text
        y.mul_(2)
    return y.sum()


def both(x, n, mode):
    y = x.tanh() if n < 5 else x + 1
    if n != 3:
        y.mul_(2)  # error: IP101
    if mode != "a":
        y = y.exp()
    if mode in ("a", "b"):
        y.add_(1)  # error: IP101
    return y.sum()


x = torch.rand(2, 3, requires_grad=True)
for test, given in [
    (by_text, ["a", "b"]), (by_end, ["net.weight", "net.bias"]), (by_set, ["a", "b"]), (by_order, [1, 4]),
    (by_bound, [0, 1]), (by_truth, [0, 1]), (by_length, [[], [2]]), (by_emptiness, [[], [2]]),
    (by_every_other, [[], [1, 2]]), (by_entry, [{}, {"fast": True}]), (by_small_letters, ["Adam", "SGD"]),
    (by_setting, [SimpleNamespace(mode="fast"), SimpleNamespace(mode="slow")]), (by_call, [3, abs]), (by_class, ["a", [2], 3]), (by_what_it_has, [x, object()]),
]:  # fmt: skip
    for value in given:
        test(x, value).backward()
by_other(x, 2, 1).backward()
by_rest(x, 3, 2).backward()
by_product(x, 3, 2).backward()
by_kind(x).backward()
by_rank(x).backward()
by_extent(x).backward()
for n, mode in ((1, "c"), (7, "b")):
    try:
        both(x, n, mode).backward()
    except RuntimeError as error:
        print(error)
