"""Handlers of requests, a file each, and what several share: they take a `SessionView`, and change nothing."""
