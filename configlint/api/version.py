"""The version of the rule interface.

``API_VERSION`` goes up when a rule written for the version before could break. A rule says which version it was
made for (``@rule(api=...)``); one that says nothing was made for version 1, the version in which the parameter did
not matter. The registry refuses a rule whose version is not in ``SUPPORTED_API``.
"""

API_VERSION = 1
SUPPORTED_API = frozenset({1})
