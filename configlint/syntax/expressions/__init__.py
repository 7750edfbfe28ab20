"""GitHub's ``${{ }}`` expressions: the subset that decides what a workflow passes on.

>>> from configlint.syntax.expressions import Template, evaluate, from_mapping
>>> evaluate(Template.parse("tp${{ inputs.tp }}"), from_mapping({"inputs": {"tp": 8}}))
'tp8'

What is not known here (secrets, run ids, functions that ask the runner) becomes an :class:`UnknownValue`
with a name, or a :class:`Holed` string around it; nothing raises.
"""

from configlint.syntax.expressions.evaluate import Context, evaluate, from_mapping
from configlint.syntax.expressions.parse import Broken, ExpressionError, Template, parse_expression
from configlint.syntax.expressions.values import Holed, UnknownValue, number_text, to_text, truth

__all__ = [
    "Broken",
    "Context",
    "ExpressionError",
    "Holed",
    "Template",
    "UnknownValue",
    "evaluate",
    "from_mapping",
    "number_text",
    "parse_expression",
    "to_text",
    "truth",
]
