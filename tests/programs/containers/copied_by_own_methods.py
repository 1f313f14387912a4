"""Objects that say themselves how they are copied; a turned array of one dimension is as it was."""

import copy

import numpy as np
import torch

w = torch.randn(4, requires_grad=True)


def walk(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(error)


class State:
    def __init__(self, hidden):
        self.hidden = hidden

    def __copy__(self):
        return State(self.hidden.clone())

    def __deepcopy__(self, memo):
        return State(self.hidden)


y = w.exp()
copy.copy(State(y)).hidden.zero_()
walk(y)
y = w.exp()
copy.copy({"state": State(y)})["state"].hidden.zero_()  # error: IP101
walk(y)
y = w.exp()
copy.deepcopy([State(y)])[0].hidden.zero_()  # error: IP101
walk(y)

values = np.ones(4, dtype=np.float32)
pairs = values.T.reshape(2, 2)
loss = torch.from_numpy(values) * w
pairs *= 2  # error: IP301
walk(loss)
