"""Made-up environments for agents, where the library that has them is not installed: `gym.make` gives one, and the
program's own wrapper classes work around it.

Episodes are short, observations are few random numbers. What the code asks of the space of actions tells its kind: who
asks for `n` chooses among so many, all others give numbers.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Mapping, Sequence
from typing import Any

LIBRARIES = frozenset({"gym", "gymnasium"})
OBSERVED, CHOICES, ACTIONS, STEPS = 4, 2, 2, 40


class Space:
    """The observations or actions that an environment knows: `size` numbers, or one of `choices`."""

    def __init__(self, size: int, choices: int) -> None:
        self.shape: tuple[int, ...] = (size,)
        self._choices = choices
        self._is_asked_for_choices = False
        self.low, self.high = make_numbers([-1.0] * size), make_numbers([1.0] * size)

    @property
    def n(self) -> int:
        """The number of choices."""
        self._is_asked_for_choices = True
        return self._choices

    def sample(self) -> object:
        """Return a random element."""
        if self._is_asked_for_choices:
            return random.randrange(self._choices)
        return make_numbers([random.uniform(-1, 1) for _ in range(self.shape[0])])

    def seed(self, seed: int | None = None) -> object:
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

    def reset(self, **_options: object) -> object:
        """Begin an episode and return the first observation."""
        self._steps = 0
        return (self._observe(), {}) if self._tells_more else self._observe()

    def step(self, _action: object) -> tuple[object, ...]:
        """Return the next observation, the reward, and whether the episode is over."""
        self._steps += 1
        over = self._steps >= STEPS
        ends = (over, False) if self._tells_more else (over,)
        return (self._observe(), random.uniform(-1, 1), *ends, {})

    def seed(self, seed: int | None = None) -> object:
        """Do nothing: the run is seeded."""
        return [seed]

    def render(self, *_args: object, **_options: object) -> object:
        """Show nothing."""
        return None

    def close(self) -> None:
        """Do nothing: there is nothing open."""

    def _observe(self) -> object:
        return make_numbers([random.uniform(-1, 1) for _ in range(OBSERVED)])


class Wrapper(Environment):
    """What a program's own wrappers derive from: it does what the environment in it does."""

    def __init__(self, env: Any, *_more: object, **_named: object) -> None:
        self.env = env

    def __getattr__(self, name: str) -> Any:
        if name == "env":  # a constructor that has not come so far
            raise AttributeError(name)
        return getattr(self.env, name)

    @property
    def unwrapped(self) -> Any:
        """The environment without wrappers."""
        return self.env.unwrapped

    def reset(self, **options: object) -> object:
        """Begin an episode and return the first observation."""
        return self.env.reset(**options)

    def step(self, action: object) -> tuple[object, ...]:
        """Return what a step of the environment gives."""
        result: tuple[object, ...] = self.env.step(action)
        return result

    def seed(self, seed: int | None = None) -> object:
        """Seed the environment."""
        return self.env.seed(seed)

    def render(self, *args: object, **options: object) -> object:
        """Return what the environment shows."""
        return self.env.render(*args, **options)

    def close(self) -> None:
        """Close the environment."""
        self.env.close()


class ObservationWrapper(Wrapper):
    """Changes each observation by the program's `observation`."""

    observation: Any

    def reset(self, **options: object) -> object:
        """Begin an episode and return the first observation, changed."""
        result = self.env.reset(**options)
        return (self.observation(result[0]), *result[1:]) if isinstance(result, tuple) else self.observation(result)

    def step(self, action: object) -> tuple[object, ...]:
        """Return what a step of the environment gives, with the observation changed."""
        first, *rest = self.env.step(action)
        return (self.observation(first), *rest)


class ActionWrapper(Wrapper):
    """Changes each action by the program's `action`."""

    action: Any

    def step(self, action: object) -> tuple[object, ...]:
        """Return what a changed step gives."""
        result: tuple[object, ...] = self.env.step(self.action(action))
        return result


class RewardWrapper(Wrapper):
    """Changes each reward by the program's `reward`."""

    reward: Any

    def step(self, action: object) -> tuple[object, ...]:
        """Return what a step of the environment gives, with the reward changed."""
        observed, reward, *rest = self.env.step(action)
        return (observed, self.reward(reward), *rest)


class Box(Space):
    """Numbers between two bounds, of any shape."""

    def __init__(
        self, low: object, high: object, shape: Sequence[int] | None = None, *_more: object, **_named: object
    ) -> None:
        self.shape = tuple(shape if shape is not None else getattr(low, "shape", ()))
        self.low, self.high = low, high

    def sample(self) -> object:
        """Return random numbers."""
        return _fill_shape(self.shape)


class Discrete(Space):
    """A choice among so many."""

    def __init__(self, n: int, *_more: object, **_named: object) -> None:
        self.shape, self._choices, self._is_asked_for_choices = (), int(n), True


def _fill_shape(shape: Sequence[int]) -> object:
    """Return random numbers of a shape: an array of numpy, or lists in lists."""
    if not shape:
        return random.uniform(-1, 1)
    if len(shape) == 1:
        return make_numbers([random.uniform(-1, 1) for _ in range(shape[0])])
    return [_fill_shape(shape[1:]) for _ in range(shape[0])]


BASES: Mapping[str, type] = {
    base.__name__: base for base in (Wrapper, ObservationWrapper, ActionWrapper, RewardWrapper)
}
"""What classes of the program derive from in place of a library's, by its name."""
_SPACES: Mapping[str, type[Space]] = {"Box": Box, "Discrete": Discrete}


def find_base(name: str) -> type | None:
    """Return what a class of the program derives from in place of `name`, if that is in a library of environments."""
    return BASES.get(name.rpartition(".")[2]) if name.partition(".")[0] in LIBRARIES else None


def make_environment(
    name: str, arguments: Sequence[object], named: Mapping[str, object] | None = None
) -> Environment | Space | None:
    """Return what the call of `name` in a library of environments gives: a new one, a space, or, of a wrapper, what it
    wraps."""
    library, _, rest = name.partition(".")
    if library not in LIBRARIES:
        return None
    if rest == "make":
        return Environment(library)
    space: Any = _SPACES.get(rest.rpartition(".")[2])
    if space is not None:
        return space(*arguments, **(named or {}))  # type: ignore[no-any-return]
    return next((argument for argument in arguments if isinstance(argument, Environment)), None)


def make_numbers(numbers: Sequence[float]) -> object:
    """Return an array of numpy; a list if that is not installed."""
    try:
        numpy = importlib.import_module("numpy")
    except ImportError:
        return list(numbers)
    return numpy.array(numbers, dtype="float32")
