"""Repairs, from finding to candidates: a folder for each kind of change, a file for each repair."""
