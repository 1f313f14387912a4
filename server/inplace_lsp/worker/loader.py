"""Run first, as plain text, in the user's interpreter: makes the worker importable where nothing of ours is installed.

The host sends this text and the sources of `tape/`, `messages/` and `worker/` as one line. It must run on any Python 3,
to say that a Python is too old.
"""

import importlib.abc
import importlib.util
import sys


class Sources(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports modules from the texts in `sources` (name -> text)."""

    def __init__(self, sources) -> None:  # type: ignore[no-untyped-def]
        self.sources = sources

    def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def]
        """Return the spec of a module that is among the sources."""
        return importlib.util.spec_from_loader(name, self) if name in self.sources else None

    def is_package(self, name):  # type: ignore[no-untyped-def]
        """Return whether the module contains other modules."""
        return any(other.startswith(name + ".") for other in self.sources)

    def get_source(self, name):  # type: ignore[no-untyped-def]
        """Return the text of the module."""
        return self.sources[name]


def start(sources, mode, path):  # type: ignore[no-untyped-def]
    """Put the sources first on the import path and start the worker (`serve`) or one run of it (`child`). `path` is the
    module path that the environment gives to a run."""
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, Sources(sources))
    importlib.import_module("inplace_lsp.worker.module_path").keep_given_path(path)
    entry = importlib.import_module("inplace_lsp.worker." + mode)
    entry.main(sources)
