"""Made-up environments for agents, where the library that has them is not installed: `gym.make` gives one.

Episodes are short, observations are few random numbers. What the code asks of the space of actions tells its kind: who
asks for `n` chooses among so many, all others give numbers.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Sequence
from typing import Any

LIBRARIES = frozenset({"gym", "gymnasium"})
OBSERVED, CHOICES, ACTIONS, STEPS = 4, 2, 2, 40


class Space:
    """The observations or actions that an environment knows: `size` numbers, or one of `choices`."""

    def __init__(self, size: int, choices: int) -> None:
        self.shape = (size,)
        self._choices = choices
        self._is_asked_for_choices = False
        self.low, self.high = make_numbers([-1.0] * size), make_numbers([1.0] * size)

    @property
    def n(self) -> int:
        """The number of choices."""
        self._is_asked_for_choices = True
        return self._choices

    def sample(self) -> Any:
        """Return a random element."""
        if self._is_asked_for_choices:
            return random.randrange(self._choices)
        return make_numbers([random.uniform(-1, 1) for _ in range(self.shape[0])])

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Do nothing: the run is seeded."""
        return [seed]


class Environment:
    """An environment of `library`, which says what `reset` and `step` return."""

    def __init__(self, library: str) -> None:
        self._tells_more = library == "gymnasium"
        self._steps = 0
        self.observation_space, self.action_space = Space(OBSERVED, CHOICES), Space(ACTIONS, CHOICES)
        self.reward_range = (-1.0, 1.0)
        self.metadata: dict[str, object] = {}

    @property
    def unwrapped(self) -> Environment:
        """The environment itself."""
        return self

    def reset(self, **_options: object) -> Any:
        """Begin an episode and return the first observation."""
        self._steps = 0
        return (self._observe(), {}) if self._tells_more else self._observe()

    def step(self, _action: object) -> tuple[Any, ...]:
        """Return the next observation, the reward, and whether the episode is over."""
        self._steps += 1
        over = self._steps >= STEPS
        ends = (over, False) if self._tells_more else (over,)
        return (self._observe(), random.uniform(-1, 1), *ends, {})

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Do nothing: the run is seeded."""
        return [seed]

    def render(self, *_args: object, **_options: object) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Do nothing: there is nothing open."""

    def _observe(self) -> Any:
        return make_numbers([random.uniform(-1, 1) for _ in range(OBSERVED)])


def make_environment(name: str, arguments: Sequence[object]) -> Environment | None:
    """Return what the call of `name` in a library of environments gives: a new one, or, of a wrapper, what it wraps."""
    library, _, rest = name.partition(".")
    if library not in LIBRARIES:
        return None
    if rest == "make":
        return Environment(library)
    return next((argument for argument in arguments if isinstance(argument, Environment)), None)


def make_numbers(numbers: Sequence[float]) -> Any:
    """Return an array of numpy; a list if that is not installed."""
    try:
        numpy = importlib.import_module("numpy")
    except ImportError:
        return list(numbers)
    return numpy.array(numbers, dtype="float32")
