"""Shared means of the tests: a small tree in memory, a project that answers what it is told, hand-made findings."""
