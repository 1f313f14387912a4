import types

import train


def raises_recurrent():
    train.train_classifier(types.SimpleNamespace(model="Recurrent", steps=2))


def runs_convolved():
    train.train_classifier(types.SimpleNamespace(model="Convolved", steps=2))


def raises_block():
    train.train_block("Block")


def runs_plain_block():
    train.train_block("PlainBlock")
