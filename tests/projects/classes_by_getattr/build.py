import importlib


def build(settings):
    module = importlib.import_module(settings["module"])
    return getattr(module, settings["name"])(**settings["options"])
