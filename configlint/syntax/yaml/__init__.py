"""YAML with a place for every key and value. Importing this package imports PyYAML.

What :func:`load` returns is safe to read recursively: each document, aliases followed, is a finite tree
of at most 1,000,000 nodes and 200 levels. A document that is not has a fault instead.
"""

from configlint.syntax.yaml.comments import Comment
from configlint.syntax.yaml.file import (
    Duplicate,
    Fault,
    File,
    comment_lines,
    load,
    load_string,
)
from configlint.syntax.yaml.nodes import Node
from configlint.syntax.yaml.paths import locate, path_to

__all__ = ["Comment", "Duplicate", "Fault", "File", "Node", "comment_lines", "load", "load_string", "locate", "path_to"]
