import torch
from torch import nn

from mixing import Mixer, decay, mix_and_ask, mix_annotated, mix_squashed


def runs_without_a_gradient_for_what_is_optimized():
    alpha = nn.Parameter(torch.ones(3))
    mixer = Mixer(alpha, 2.0)
    mixer.mix(nn.Parameter(torch.ones(3)))
    mixer.rescale(nn.Parameter(torch.ones(3)))
    assert alpha.grad is None


def runs_without_a_gradient_for_what_is_given():
    alpha, learned = nn.Parameter(torch.ones(3)), nn.Parameter(torch.ones(3))
    mix_annotated(nn.Parameter(torch.ones(3)), alpha)
    mix_squashed(nn.Parameter(torch.ones(3)), learned)
    assert alpha.grad is learned.grad is mix_and_ask(nn.Parameter(torch.ones(3)), alpha) is None


def runs_by_numbers():
    assert decay(nn.Parameter(torch.ones(3)), 0.1, 0.5) is not None
