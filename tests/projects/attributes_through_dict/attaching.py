"""Attaches to layers what is to be no part of them: their parameters and state stay as they are."""


def attach(layer, name, value):
    layer.__dict__[name] = value
    return layer


def attach_all(layer, **values):
    layer.__dict__.update(values)
    return layer
