"""configlint: says what a benchmark repository would really run, and where that is not what was reviewed."""

__version__ = "0.1.0"
