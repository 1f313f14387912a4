"""The messages between `verify` and its worker, as data classes that both sides share. Imports nothing but the standard
library: the worker takes them along into the user's interpreter."""
