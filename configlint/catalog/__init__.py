"""Catalogs: versioned facts about upstream programs, and how they are read from the programs' sources."""
