"""The server for coding agents: the command line behind the Model Context Protocol. The only room that knows it."""
