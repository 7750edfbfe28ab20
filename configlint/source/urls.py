"""Names of outside repositories: comparing URLs, splitting a ref source's spec, a place in the cache."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from configlint.source.base import SourceError

REFS_VARIABLE = "CONFIGLINT_REFS"
"""The environment variable that holds ref sources."""

_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)://")
_DEFAULT_PORT = re.compile(r":(22|80|443|9418)$")
_SAFE = re.compile(r"[^A-Za-z0-9._-]")
_MAX_NAME = 100


class BadUrl(SourceError):
    """A URL that names no repository we could read or clone."""


class Url(NamedTuple):
    """A repository URL in parts. ``host`` is without user and default port, empty for a local path."""

    scheme: str  # "https", "ssh" (also for host:path), "file" (also for a path), ...
    host: str
    path: str  # as written, without surrounding slashes and ``.git``


def split_url(url: str) -> Url:
    """The parts of a URL: ``scheme://host/path``, ``user@host:path``, ``host/owner/name`` or a local path."""
    url = url.strip()
    match = _SCHEME.match(url)
    if match:
        scheme, rest = match[1].lower(), url[match.end() :]
        host, _, path = rest.partition("/")
    elif url.startswith(("/", "./", "../", "~")):
        scheme, host, path = "file", "", url
    elif ":" in url.partition("/")[0]:
        scheme = "ssh"
        host, _, path = url.partition(":")
    else:
        scheme = ""
        host, _, path = url.partition("/")
    host = _DEFAULT_PORT.sub("", host.rpartition("@")[2]).lower()
    if scheme == "file" and host == "localhost":
        host = ""
    path = "/".join(part for part in path.split("/") if part)
    return Url(scheme, host, path.removesuffix(".git").rstrip("/"))


def normalise_url(url: str) -> str:
    """A URL as it is compared: without scheme, user, default port, ``.git`` and case."""
    parts = split_url(url)
    return f"{parts.host}/{parts.path}".lower()


def short_name(url: str) -> str:
    """``owner/name`` of a repository URL, for people."""
    parts = split_url(url)
    return "/".join(parts.path.split("/")[-2:]) or parts.host


def cache_root(environment: Mapping[str, str] | None = None) -> Path:
    """The user's cache directory for configlint."""
    environment = os.environ if environment is None else environment
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        base = environment.get(name, "")
        if os.path.isabs(base):
            return Path(base) / "configlint"
    home = environment.get("HOME", "")
    return (Path(home) if os.path.isabs(home) else Path.home()) / ".cache" / "configlint"


def cached_clone_path(url: str, root: Path | None = None) -> Path:
    """Where ``configlint refs sync`` keeps a repository: ``<cache>/refs/<host>/<owner>/<name>.git``.

    URLs that compare equal have the same place. Raises BadUrl where the URL has no host and path to name it by.
    """
    parts = split_url(url)
    names = parts.path.lower().split("/")
    if not parts.path or (not parts.host and parts.scheme != "file"):
        raise BadUrl(f"{url!r} names no repository")
    folders = [_safe_name(name) for name in (parts.host or "localhost", *names)]
    return (cache_root() if root is None else root) / "refs" / Path(*folders[:-1]) / f"{folders[-1]}.git"


def _safe_name(name: str) -> str:
    """A URL part as a folder name that cannot climb, hide an option or clash with another."""
    safe = _SAFE.sub(lambda match: "".join(f"%{byte:02x}" for byte in match[0].encode("utf-8", "replace")), name)
    if safe.strip(".") == "" or safe.startswith(("-", ".")) or safe.endswith(".git"):
        safe = "%" + safe
    if len(safe) > _MAX_NAME:
        raise BadUrl(f"the name {name[:40]!r}... is too long for a repository")
    return safe


def split_spec(spec: str) -> tuple[str, str | None, str]:
    """URL, ref or None, and path of ``URL=PATH`` or ``URL@REF=DIR``. Raises SourceError.

    An ``@`` before the URL's path is a user name (``git@host:owner/name``), not a ref.
    """
    left, equals, path = spec.strip().partition("=")
    if not equals or not left.strip() or not path.strip():
        raise SourceError(f"ref source {spec.strip()!r}: expected URL=PATH or URL@REF=DIRECTORY")
    url = left.strip()
    match = _SCHEME.match(url)
    start = match.end() if match else 0
    slash = url.find("/", start)
    authority = url[start : slash if slash >= 0 else len(url)]
    body = start + len(authority)
    if match is None and ":" in authority:
        body = start + authority.index(":")
    at = url.find("@", body)
    if at < 0:
        return url, None, path.strip()
    ref = url[at + 1 :]
    if not ref:
        raise SourceError(f"ref source {spec.strip()!r}: nothing after the @")
    return url[:at], ref, path.strip()


def split_list(value: str, separator: str = os.pathsep) -> tuple[str, ...]:
    """The specs in an environment variable, separated by newlines or by the path separator.

    URLs hold colons themselves, so a separator counts only after a spec's ``=``.
    """
    specs: list[str] = []
    for rest in value.splitlines():
        while rest := rest.strip(f"{separator} \t"):
            left, equals, right = rest.partition("=")
            path, _, rest = right.partition(separator)
            specs.append(f"{left}{equals}{path}".strip())
    return tuple(specs)
