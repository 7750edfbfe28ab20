"""A tree's own validation of its matrix: pydantic models, read from their Python source and never imported."""
