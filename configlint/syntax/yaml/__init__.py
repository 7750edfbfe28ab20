"""YAML with a place for every key and value. Importing this package imports PyYAML."""

from configlint.syntax.yaml.file import Duplicate, Fault, File, load, load_string
from configlint.syntax.yaml.nodes import Node

__all__ = ["Duplicate", "Fault", "File", "Node", "load", "load_string"]
