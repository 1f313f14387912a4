"""Handlers of notifications, a file each: they take the `Session`, may change it, and answer nothing."""
