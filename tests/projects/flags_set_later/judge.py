import layers
import torch


def train(net):
    net(torch.randn(2, 4)).sum().backward()


def raises_flag_of_one_layer():
    train(layers.OneLayer())


def raises_flags_by_apply():
    train(layers.ByApply())


def raises_flags_by_name():
    train(layers.ByName())


def runs_flags_set_false():
    train(layers.SetFalse())
