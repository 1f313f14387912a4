import torch

import experts
import necks


def make_maps(levels):
    return [torch.randn(1, 3, 2**size, 2**size) for size in range(levels + 1, 1, -1)]


def runs_up_and_down():
    sum(out.sum() for out in necks.UpAndDown(3, 3)(make_maps(3))).backward()


def runs_top_down():
    sum(out.sum() for out in necks.TopDown(3, 3)(make_maps(3))).backward()


def runs_refined():
    sum(out.sum() for out in necks.Refined(3, 3)(make_maps(3), 2)).backward()


def runs_from_the_end():
    sum(out.sum() for out in necks.FromTheEnd(3, 3)(make_maps(3))).backward()


def raises_rows():
    necks.Rows(3, 2)(torch.randn(4, 2, 3)).sum().backward()


def raises_gated():
    necks.Gated(3)(torch.randn(4, 3)).sum().backward()


def raises_weighted():
    sum(out.sum() for out in necks.Weighted(3)(make_maps(3))).backward()


def raises_masked():
    experts.Masked(4, 2)(torch.randn(6, 4)).sum().backward()


def raises_chosen():
    experts.Chosen(4, 2)(torch.randn(6, 4)).sum().backward()


def raises_moved():
    experts.Moved(4, 2)(torch.randn(3, 4)).sum().backward()


def raises_gated_rows():
    experts.GatedRows(4, 2)(torch.randn(3, 4)).sum().backward()


def runs_copied():
    experts.Copied(4, 2)(torch.randn(6, 4)).sum().backward()
