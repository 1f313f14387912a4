import networks
import torch
import train


def raises_step_before_the_walk():
    train.train()


def runs_steps_after_the_walks():
    train.train_in_order()


def raises_dropout_in_place_behind_relu():
    segmenter = networks.Segmenter()
    classes, aside = segmenter(torch.rand(2, 3, 8, 8))
    (classes.sum() + aside.sum()).backward()


def runs_without_the_walk_through_the_classes():
    segmenter = networks.Segmenter()
    segmenter(torch.rand(2, 3, 8, 8))[1].sum().backward()
