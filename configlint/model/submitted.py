"""What a launch submits, with the names in it looked up: which image runs, which model it loads."""

from __future__ import annotations

from functools import cached_property

from configlint.model.aliases import Aliases, Use
from configlint.model.claims import FalseClaim, false_claims
from configlint.model.documents import Document, Settled
from configlint.profile.profile import Profile


class Submitted:
    """One variant of a submitted document, as far as it is sure."""

    def __init__(self, document: Document, settled: Settled, aliases: Aliases, profile: Profile) -> None:
        self.document, self.settled, self._profile = document, settled, profile
        self.aliases = aliases

    @cached_property
    def containers(self) -> tuple[Use, ...]:
        """The fields that name containers."""
        return self.aliases.container_uses(self.document, self.settled)

    @cached_property
    def models(self) -> tuple[Use, ...]:
        """The fields that name models."""
        return self.aliases.model_uses(self.document, self.settled)

    @property
    def container(self) -> Use | None:
        """The container that the engine runs in; None where the document names none."""
        return next((one for one in self.containers if one.path == self._profile.documents.container), None)

    @cached_property
    def false_claims(self) -> tuple[FalseClaim, ...]:
        """What the document says about itself and refutes."""
        if self.container is None:
            return ()
        identity = self._profile.documents.identity
        return tuple(false_claims(self.document, self.settled, identity, self.container))
