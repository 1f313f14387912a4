"""Programs for developers that write what the package and docs/ ship. The package imports none of them."""
