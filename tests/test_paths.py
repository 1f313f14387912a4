"""Branches that a first run leaves out: what is written there is found, however it comes to be written.

Nobody in sight calls these functions, so which branch is taken is not known. Nothing here is run.
"""

import pytest

from support import check

HEAD = "import torch\nfrom torch import nn\n\n"

LEFT_OUT = {
    "an argument of a constructor that the methods' object is made without": """
class Model(nn.Module):
    def __init__(self, start_small=False):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        if start_small:
            self.weight[0] = 0.1  # error: IP202

    def forward(self, x):
        return self.weight * x
""",
    "a helper of a constructor that is left out": """
class Model(nn.Module):
    def __init__(self, start_small=False):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        if start_small:
            self.shrink()

    def shrink(self):
        self.weight.mul_(0.1)  # error: IP201

    def forward(self, x):
        return self.weight * x
""",
    "a comparison with a word": """
class Model(nn.Module):
    def forward(self, x, mode):
        y = x.exp()
        if mode == "read":
            z = 1
        else:
            y.add_(1)  # error: IP101
        return y
""",
    "the same comparison, a second time": """
class Model(nn.Module):
    def forward(self, x, mode):
        y = x.sin() if mode == "read" else x.exp()
        if mode != "read":
            y.add_(1)  # error: IP101
        return y
""",
    "a flag that another branch sets": """
class Model(nn.Module):
    def forward(self, x, fast):
        y = x.exp()
        last = False
        if fast:
            z = 1
        else:
            last = True
        if last:
            y.add_(1)  # error: IP101
        return y
""",
    "a number of passes that another branch sets": """
class Model(nn.Module):
    def forward(self, x, fast):
        y = x.exp()
        steps = 3
        if fast:
            steps = 0
        for _ in range(steps):
            y.add_(1)  # error: IP101
        return y
""",
    "behind a return that depends on what a loop found": """
class Model(nn.Module):
    def forward(self, x, rounds):
        y = x.exp()
        fooled = True
        for step in rounds:
            if step > 3:
                continue
            fooled = False
        if fooled:
            return y
        y.add_(1)  # error: IP101
        return y
""",
    "behind two values that other branches set": """
class Model(nn.Module):
    def forward(self, x, fast, plain):
        y = x.exp()
        steps = 0 if fast else 3
        kind = "plain" if plain else "other"
        if kind != "plain":
            for _ in range(steps):
                y.add_(1)  # error: IP101
        return y
""",
    "where a caller gives another text than the default": """
class Model(nn.Module):
    def forward(self, x, mode="read"):
        y = x.exp()
        if mode == "write":
            y.add_(1)  # error: IP101
        return y
""",
    "where a caller gives neither the default nor the first text asked for": """
class Model(nn.Module):
    def forward(self, x, mode="read"):
        if mode == "read":
            y = x.sin()
        elif mode == "sum":
            y = x.exp()
        if mode == "write":
            y = x.sigmoid()
            y.add_(1)  # error: IP101
        elif mode == "read":
            y.mul_(2)
        return y
""",
    "a method of the object": """
class Model(nn.Module):
    def shift(self, y):
        y.add_(1)  # error: IP101

    def forward(self, x, keep):
        y = x.exp()
        if not keep:
            return y
        self.shift(y)
        return y
""",
    "a method that several branches call": """
class Model(nn.Module):
    def shift(self, y):
        y.add_(1)  # error: IP101

    def forward(self, x, first, second, third):
        y = x * 2
        if first:
            return y
        if second:
            self.shift(y)
            return y
        y = x.exp()
        if third:
            return y
        self.shift(y)
        return y
""",
    "a module that works in place": """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(inplace=True)

    def forward(self, x, plain):
        y = x.exp()
        return y if plain else self.act(y)  # error: IP101
""",
    "a module inside of modules": """
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.Sequential(nn.Identity(), nn.ReLU(inplace=True))

    def forward(self, x):
        return self.act(x)  # error: IP101

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x, plain):
        y = x.sigmoid()
        if plain:
            return y
        return self.block(y)
""",
    "a case of a match": """
class Model(nn.Module):
    def forward(self, x, mode):
        y = x.exp()
        match mode:
            case "a":
                z = 1
            case _:
                y.add_(1)  # error: IP101
        return y
""",
    "behind many decisions that do not matter": """
class Model(nn.Module):
    def forward(self, x, a, b, c, d, e, f, g, h, i, j):
        n = 0
        for flag in (a, b, c, d, e, f, g, h, i):
            if flag:
                n = n + 1
        y = x.exp()
        if j:
            return y
        y.add_(1)  # error: IP101
        return y
""",
    "what is returned is decided after the write": """
class Model(nn.Module):
    def forward(self, x, raw):
        y = x.exp()
        z = y.detach().clone()
        y.add_(1)  # error: IP101
        return z if raw else y
""",
}


TABLES = {
    "a table that a function has changed is as it was made for the next": """
def describe(kinds):
    return {kind: {"op": kind, "args": [kind]} for kind in kinds}


TABLE = describe(("exp", "relu"))


def forget():
    TABLE["exp"]["op"] = "nothing"
    TABLE["exp"]["args"].append("nothing")


class Model(nn.Module):
    def forward(self, x):
        if TABLE["exp"]["op"] != "exp" or len(TABLE["exp"]["args"]) > 1:
            return x
        y = x.exp()
        y.add_(1)  # error: IP101
        return y
""",
}


OPTIONS = "".join(f"        if options.get({n}) == {n}:\n            y = y * {n}\n" for n in range(200))
"""More branches than runs are made that each skip one of them."""
SKIPPED = {
    "a result is written if all branches are skipped": f"""
class Model(nn.Module):
    def forward(self, x, options):
        y = self.layer(x).exp()
{OPTIONS}        y.add_(1)  # error: IP101
        return y
""",
    "a result is computed from where all branches are skipped": f"""
class Model(nn.Module):
    def forward(self, x, options):
        y = self.layer(x).exp()
{OPTIONS}        y = y + 2
        y.add_(1)
        return y
""",
}


@pytest.mark.parametrize("program", (LEFT_OUT | SKIPPED).values(), ids=LEFT_OUT | SKIPPED)
def test_left_out(program):
    check(HEAD + program, observed=False)


@pytest.mark.parametrize("program", TABLES.values(), ids=TABLES)
def test_tables_of_a_module(program):
    check(HEAD + program, observed=False)
