"""Random PyTorch programs, and the test that what is predicted from their text is what torch does with them."""
