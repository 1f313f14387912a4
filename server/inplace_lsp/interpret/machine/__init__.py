"""The state of one run along one path, and the interface between the parts."""
