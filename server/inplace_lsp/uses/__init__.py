"""Infer the kind of an unknown value from the code that uses it. The recorder and verify share this."""
