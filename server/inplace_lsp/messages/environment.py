"""The part of the environment that a run gets: not the tokens and keys of other programs."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping

PASSED_ON = "INPLACE_LSP_PASS_ENV"
"""Holds the names of other variables that runs need, with commas between them."""

_NAMES = frozenset(
    """
    APPDATA COMSPEC DYLD_LIBRARY_PATH HOME HOMEDRIVE HOMEPATH LANG LANGUAGE LD_LIBRARY_PATH LOCALAPPDATA LOGNAME
    NUMBER_OF_PROCESSORS OS PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES SHELL SYSTEMDRIVE SYSTEMROOT
    TEMP TERM TMP TMPDIR TZ USER USERNAME USERPROFILE VIRTUAL_ENV WINDIR
    """.split()
)
_BEGINNINGS = tuple(
    """
    CONDA_ CUBLAS_ CUDA CUDNN_ GOMP_ HF_ HIP_ HSA_ INPLACE_LSP_ KMP_ LC_ MKL_ NCCL_ NUMBA_ NVIDIA_ OMP_ OPENBLAS_
    PYTHON PYTORCH_ ROCM_ ROCR_ TORCH TRANSFORMERS_ TRITON_ XDG_ XLA_
    """.split()
)
"""How the variables of Python, of compilers and of what computes begin."""
_SECRET = ("TOKEN", "SECRET", "PASSW", "CREDENTIAL", "API_KEY", "ACCESS_KEY", "PRIVATE_KEY")


def needed_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what of an environment a run needs."""
    also = {name.strip() for name in environment.get(PASSED_ON, "").split(",")}
    return {name: value for name, value in environment.items() if name in also or _is_needed(name)}


def forget_rest(environment: MutableMapping[str, str]) -> None:
    """Take out of an environment what no run needs."""
    for name in set(environment) - set(needed_environment(environment)):
        del environment[name]


def _is_needed(name: str) -> bool:
    upper = name.upper()
    return (upper in _NAMES or upper.startswith(_BEGINNINGS)) and not any(word in upper for word in _SECRET)
