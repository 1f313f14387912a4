"""The files of the workspace folders that are not open: checked in processes of their own. See docs/ARCHITECTURE.md."""
