import sys
import types

prefetching = types.ModuleType("prefetching")
prefetching.InBackground = lambda iterator, max_prefetch=1: iterator
sys.modules["prefetching"] = prefetching

import training


def runs_prefetching():
    training.train_prefetching()


def runs_bounded():
    training.train_bounded()


def runs_kept():
    training.train_kept()


def raises_for_what_was_found():
    training.train_wrong()
