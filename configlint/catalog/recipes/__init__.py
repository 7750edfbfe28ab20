"""What srtctl accepts in a recipe, per revision: read from its dataclasses, kept as facts, asked as a schema."""
