"""Readers of sources: one module a program or form. Only these import libcst."""
