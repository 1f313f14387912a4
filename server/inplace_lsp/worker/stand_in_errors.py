"""The errors of stand-ins for what is not installed."""

from __future__ import annotations


class StandInError(Exception):
    """A value was needed of what a stand-in stands for."""


class AttributeStandInError(StandInError, AttributeError):
    """An attribute was needed that a stand-in lacks; `hasattr` is answered by it, too."""
