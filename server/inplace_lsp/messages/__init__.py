"""The messages between `verify`, its worker and the processes of runs, as data classes that all share. Needs `tape` and
the standard library: the worker takes them along into the user's interpreter."""
