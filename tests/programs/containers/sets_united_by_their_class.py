"""Sets united by a method of their class: of unknown sets, which are unpacked, nothing is known."""

import torch


def names_of(sets):
    return frozenset.union(*sets), set.union(*sets)


def chosen(hidden, sets):
    for name in frozenset.union(*[frozenset(names) for names in sets]):
        hidden = hidden.exp()
        hidden.add_(len(name))  # error: IP101
    return hidden


try:
    chosen(torch.rand(3, requires_grad=True), [["a"], ["b"]]).sum().backward()
except RuntimeError as error:
    print(error)
