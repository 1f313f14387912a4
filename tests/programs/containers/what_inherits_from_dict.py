"""Objects of classes that inherit from `dict` are dicts: with entries as attributes, unpacked, and looked up."""

import torch


class Settings(dict):
    def __getattr__(self, name):
        return self[name]

    def __setattr__(self, name, value):
        self[name] = value


class Short(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


class Loose(dict):
    __getattr__ = dict.get


class Bank(dict):
    def remember(self, name, value):
        self[name] = value
        return value


def walk_back(y):
    try:
        y.sum().backward()
    except RuntimeError:
        pass


def run(act, times=1):
    return ACTS[act](x) * times


def scale_first(first):
    first.mul_(2)  # error: IP101
    walk_back(first)


ACTS = {"neg": torch.neg, "sigmoid": torch.sigmoid, "abs": torch.abs, "exp": torch.exp}
x = torch.rand(3, requires_grad=True)

cfg = Settings(act="sigmoid")
cfg.other = "neg"
y = ACTS[cfg.act](x)
y.mul_(2)  # error: IP101
walk_back(y)
y = ACTS[cfg["other"]](x)
y.mul_(2)
walk_back(y)

cfg = Short({"act": "neg"})
y = ACTS[cfg.act](x)
y.mul_(2)
walk_back(y)
cfg.act = "sigmoid"
y = ACTS[cfg["act"]](x)
y.mul_(2)  # error: IP101
walk_back(y)

cfg = Loose(act="neg")
if cfg.drop is None:
    y = x.exp()
    y.mul_(2)  # error: IP101
    walk_back(y)
for key in cfg:
    y = ACTS[cfg[key]](x)
    y.mul_(2)
    walk_back(y)
y = ACTS[{**cfg, "times": 2}["act"]](x)
y.mul_(2)
walk_back(y)
y = run(**cfg).mul_(2)
walk_back(y)
y = ACTS[dict(cfg)["act"]](x)
y.mul_(2)
walk_back(y)

bank = Bank()
y = bank.remember("a", x.sigmoid())
bank["a"].mul_(2)  # error: IP101
walk_back(y)
bank = Bank(first=x.sigmoid())
for name, kept in bank.items():
    kept.mul_(2)  # error: IP101
    walk_back(kept)
scale_first(**Bank(first=x.sigmoid()))
cfg = Settings(data=Settings(act="sigmoid"), act="neg")
y = ACTS[cfg.act](x)
y.mul_(2)
walk_back(y)
y = ACTS[cfg.data.act](x)
y.mul_(2)  # error: IP101
walk_back(y)
