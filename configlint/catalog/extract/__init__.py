"""Readers of upstream sources: one module a program or form.

Built on :mod:`configlint.syntax.python`: sources are parsed and followed by name, never imported or run.
"""
