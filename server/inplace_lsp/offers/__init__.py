"""Offers: ops that could write in place, provably. The other half of the question that hazards answer."""
