"""Pretrained networks of a library are given another input layer, and new words."""

import torch
from zoo_of_networks import Network, load_tokens


def take_four_channels(name):
    net = Network.from_pretrained(name)
    net.stem_conv.weight[:, 3] = net.stem_conv.weight[:, 0]  # error: IP202
    return net


def take_four_channels_frozen(name):
    net = Network.from_pretrained(name)
    for p in net.parameters():
        p.requires_grad = False
    net.stem_conv.weight[:, 3] = net.stem_conv.weight[:, 0]
    return net


def add_words(net, count):
    net.text.word_embeddings.weight[-count:, :] = torch.zeros(count, 4)  # error: IP202
    return net


@torch.no_grad()
def follow(net, other, rate):
    net.stem_conv.weight.mul_(rate).add_(other.stem_conv.weight * (1 - rate))


def weigh_edges(graph):
    for edge in graph.edges:
        edge.weight[0] = 1
    tokens = load_tokens()
    tokens.weight *= 2
    return graph
