"""Settings that only a run knows: each is one of a few options, which its name tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_OPTIONS: Mapping[str, Sequence[object]] = {
    "use": (False, True),
    "mode": ("fast", "slow", "exact"),
    "count": (0, 1, 2),
}
"""The options of a setting by the first word of its name, the usual one first."""


def list_options(name: str) -> Sequence[object]:
    """The options of a setting."""
    return _OPTIONS[name.partition("_")[0]]


class Settings:
    """Settings are as usual but for those in `chosen`, which says which option they are. `asked` are the names asked
    for so far, in their order."""

    def __init__(self, chosen: Mapping[str, int] | None = None) -> None:
        self.chosen = chosen or {}
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> object:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self.asked:
            self.asked.append(name)
        return list_options(name)[self.chosen.get(name, 0)]


_current = Settings()


def begin_run(chosen: Mapping[str, int]) -> Settings:
    """Return the settings of the next run, with these options."""
    global _current  # noqa: PLW0603
    _current = Settings(chosen)
    return _current


def load_settings() -> Settings:
    """The settings of this run."""
    return _current
