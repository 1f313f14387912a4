"""Model files as texts: their mistakes, and the page that explains them."""
