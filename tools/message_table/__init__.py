"""The table of every message, each with a program that causes it: docs/messages.md."""
