"""Which findings a repair is known for."""

from __future__ import annotations

REPAIRABLE = frozenset(
    {
        *("IP101", "IP102", "IP103", "IP201", "IP202", "IP203", "IP204", "IP205", "IP206", "IP207"),
        *("IP301", "IP302", "IP303", "IP401"),
    }
)
