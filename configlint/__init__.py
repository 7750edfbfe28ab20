"""configlint: what a benchmark repository would run, where each value comes from, and what is wrong with it."""

__version__ = "0.1.0"
