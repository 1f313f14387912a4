"""Settings that are on or off, and that only a run knows."""

from __future__ import annotations

from collections.abc import Collection


class Settings:
    """Settings are off but for those in `on`. `asked` are the names asked for so far, in their order."""

    def __init__(self, on: Collection[str] = ()) -> None:
        self.on = on
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> bool:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self.asked:
            self.asked.append(name)
        return name in self.on


_current = Settings()


def begin_run(on: Collection[str]) -> Settings:
    """Return the settings of the next run, with these on."""
    global _current  # noqa: PLW0603
    _current = Settings(on)
    return _current


def load_settings() -> Settings:
    """The settings of this run."""
    return _current
