"""What an index assignment writes: a view of the leaf, or the leaf itself where the index takes all of it."""

import torch


def attempt(write):
    try:
        write()
    except RuntimeError as error:
        print(error)


w = torch.rand(2, 3, requires_grad=True)


def column():
    w[:, 0] = 0  # error: IP202


def everything():
    w[:, :] = 0  # error: IP201


def as_long_as_it_is():
    w[0:2] = 0  # error: IP201


def part():
    w[0:1] = 0  # error: IP202


def with_new_dimension():
    w[None] = 0  # error: IP202


def by_list():
    w[[0]] = 0  # error: IP201


def by_number_then_list():
    w[0, [1, 2]] = 0  # error: IP202


def by_slice_then_list():
    w[:, [1, 2]] = 0  # error: IP201


def by_number_in_a_tensor():
    w[torch.tensor(0)] = 0  # error: IP202


def by_row_mask():
    w[torch.tensor([True, False])] = 0  # error: IP201


for write in (
    column,
    everything,
    as_long_as_it_is,
    part,
    with_new_dimension,
    by_list,
    by_number_then_list,
    by_slice_then_list,
    by_number_in_a_tensor,
    by_row_mask,
):
    attempt(write)
