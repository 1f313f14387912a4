"""Handlers of commands, which act for the user: they may change the session and run the user's code."""
