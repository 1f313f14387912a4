"""Methods of lists, dicts, sets and deques with all that they can be given."""

from collections import ChainMap, Counter, OrderedDict, defaultdict, deque

import torch


def popped(x):
    y = x.sigmoid()
    states = [y, x * 2]
    states.pop(1).add_(1)
    states.pop(0).add_(1)  # error: IP101
    return y


def popped_by_key(x):
    y = x.sigmoid()
    states = {"y": y}
    states.pop("z", x * 2).add_(1)
    states.pop("y", x * 2).add_(1)  # error: IP101
    return y


def looked_up(x):
    y = x.sigmoid()
    states = {"y": y}
    states.get("z", x * 2).add_(1)
    states.setdefault("z", x * 2).add_(1)
    states.get("y").add_(1)  # error: IP101
    return y


def bounded(x):
    y = x.sigmoid()
    last = deque(iterable=[y], maxlen=2)
    last.append(x * 2)
    last[0].add_(1)  # error: IP101
    last.append(x * 3)
    last[0].add_(1)
    return y


def rotated(x):
    y = x.sigmoid()
    states = deque([x * 2, y, x * 3])
    states.rotate(-1)
    states[1].add_(1)
    states[0].add_(1)  # error: IP101
    return y


def from_the_left(x):
    y = x.sigmoid()
    states = deque()
    states.extendleft([x * 2, y])
    states.pop().add_(1)
    states.popleft().add_(1)  # error: IP101
    return y


def removed(x):
    y, z = x.sigmoid(), x * 2
    states = {"y", "z"}
    states.discard("y")
    for name in states:
        {"y": y, "z": z}[name].add_(1)
    return y


def in_order(x):
    y = x.sigmoid()
    states = OrderedDict([("y", y), ("z", x * 2)])
    states.move_to_end("y")
    states.popitem(last=False)[1].add_(1)
    states.popitem()[1].add_(1)  # error: IP101
    return y


def of_keys(x):
    y = x.sigmoid()
    states = dict.fromkeys(["a", "b"], y)
    states["b"].add_(1)  # error: IP101
    return y


def chained(x):
    y = x.sigmoid()
    states = ChainMap({"z": x * 2}, {"y": y, "z": y})
    states["z"].add_(1)
    states["y"].add_(1)  # error: IP101
    return y


def grouped(x):
    y = x.sigmoid()
    states = defaultdict(list, b=[x * 2])
    states["a"].append(y)
    counts = Counter(["a", "a"])
    if counts["a"] == 2:
        states["a"][0].add_(1)  # error: IP101
    return y


def unbound(x):
    y = x.sigmoid()
    states = []
    list.append(states, y)
    states.__getitem__(0).add_(1)  # error: IP101
    return y


for f in (
    popped, popped_by_key, looked_up, bounded, rotated, from_the_left, removed, in_order, of_keys, chained, grouped,
    unbound,
):  # fmt: skip
    try:
        f(torch.rand(3, requires_grad=True)).sum().backward()
    except RuntimeError as error:
        print(error)
