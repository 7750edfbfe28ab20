"""Ref sources: how they are written, which one answers, and what a ref is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configlint.source.refs import ENVIRONMENT, RefSources, cached_clone_path, normalise_url, short_name
from configlint.source.sync import SyncFailed, sync
from configlint.source.trees import SourceError, Tree
from configlint.source.urls import BadUrl, cache_root, split_list, split_spec
from tests.source.repositories import Git, commit, write

URL = "https://github.com/Owner/Name.git"


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/Owner/Name.git",
        "https://github.com/owner/name",
        "http://github.com/owner/name/",
        "https://user:token@github.com/owner/name.git/",
        "ssh://git@github.com/owner/name",
        "ssh://git@github.com:22/owner/name.git",
        "git@github.com:owner/name.git",
        "github.com/owner/name",
        "  https://GITHUB.com//owner//name.git ",
    ],
)
def test_urls_of_one_repository_compare_equal(url: str) -> None:
    assert normalise_url(url) == "github.com/owner/name"
    assert short_name(url).lower() == "owner/name"
    assert cached_clone_path(url, Path("c")) == Path("c/refs/github.com/owner/name.git")


def test_urls_of_other_repositories_do_not() -> None:
    others = [
        "https://gitlab.com/owner/name",
        "https://github.com/owner/name2",
        "/srv/name",
        "https://github.com:8443/o/n",
    ]
    assert len({normalise_url(url) for url in others}) == len(others)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("https://h/o/n.git=../n", ("https://h/o/n.git", None, "../n")),
        ("https://h/o/n@v1=d", ("https://h/o/n", "v1", "d")),
        ("https://u:p@h/o/n@feature/x=d", ("https://u:p@h/o/n", "feature/x", "d")),
        ("git@h:o/n.git=d", ("git@h:o/n.git", None, "d")),
        ("git@h:o/n.git@v1=d=e", ("git@h:o/n.git", "v1", "d=e")),
        ("h/o/n@a@b=d", ("h/o/n", "a@b", "d")),
        ("/srv/n.git@v1=d", ("/srv/n.git", "v1", "d")),
    ],
)
def test_specs(spec: str, expected: tuple[str, str | None, str]) -> None:
    assert split_spec(spec) == expected


@pytest.mark.parametrize("spec", ["", "x", "=x", "https://h/o/n=", "https://h/o/n@=d"])
def test_bad_specs(spec: str) -> None:
    with pytest.raises(SourceError, match="ref source"):
        RefSources.parse([spec])


def test_the_environment_variable_takes_both_separators() -> None:
    value = "https://h/o/n=/a:https://h/o/n@v1=/b:git@h:x/y=/c\n  https://h/z/z=/d : \n\nbad"
    assert split_list(value, ":") == (
        "https://h/o/n=/a",
        "https://h/o/n@v1=/b",
        "git@h:x/y=/c",
        "https://h/z/z=/d",
        "bad",
    )
    assert split_list("https://h/o/n=C:\\a;h/o/n=D:\\b", ";") == ("https://h/o/n=C:\\a", "h/o/n=D:\\b")


@given(st.text(max_size=40))
def test_any_url_has_a_safe_place_in_the_cache(url: str) -> None:
    try:
        path = cached_clone_path(url, Path("/cache"))
    except BadUrl:
        return
    assert path.parts[:3] == ("/", "cache", "refs")
    assert not {"..", "."} & set(path.parts)
    assert all(part.isascii() and not part.startswith(("-", ".")) for part in path.parts[3:])


@pytest.mark.parametrize(
    "url", ["https://h/../../etc", "https://../x/y", "https://h/./-x/.git", "https://h/o/n.git.git"]
)
def test_hostile_urls_stay_in_the_cache(url: str) -> None:
    path = cached_clone_path(url, Path("/cache"))
    assert str(path).startswith("/cache/refs/")
    assert ".." not in path.parts


def test_the_cache_root() -> None:
    assert cache_root({"XDG_CACHE_HOME": "/x", "HOME": "/h"}) == Path("/x/configlint")
    assert cache_root({"XDG_CACHE_HOME": "relative", "HOME": "/h"}) == Path("/h/.cache/configlint")


@pytest.fixture
def upstream(tmp_path: Path, git: Git) -> tuple[Path, dict[str, str]]:
    """A repository with a tag, a head and both under one name."""
    folder = tmp_path / "upstream"
    folder.mkdir()
    git(folder, "init", "--quiet")
    ids = {}
    for name in ("one", "two", "three"):
        write(folder, {"recipe.yaml": f"name: {name}\n"})
        ids[name] = commit(git, folder, name)
        git(folder, "tag", "-a", "-m", name, f"v-{name}")
    git(folder, "branch", "both", ids["one"])
    git(folder, "tag", "both", ids["two"])
    git(folder, "branch", "topic/x", ids["two"])
    git(folder, "branch", "deadbeef", ids["one"])
    return folder, ids


def text_of(tree: Tree | None) -> str:
    assert tree is not None
    return tree.read("recipe.yaml").string


def test_a_ref_is_a_tag_then_a_head_then_a_commit(upstream: tuple[Path, dict[str, str]]) -> None:
    folder, ids = upstream
    expected = {
        "v-one": ("tag", ids["one"]),
        "tags/v-one": ("tag", ids["one"]),
        "refs/tags/v-one": ("tag", ids["one"]),
        "both": ("tag", ids["two"]),
        "refs/heads/both": ("branch", ids["one"]),
        "topic/x": ("branch", ids["two"]),
        "origin/topic/x": ("branch", ids["two"]),
        "main": ("branch", ids["three"]),
        "deadbeef": ("branch", ids["one"]),
        ids["two"]: ("commit", ids["two"]),
        ids["two"][:7]: ("commit", ids["two"]),
        ids["two"][:9].upper(): ("commit", ids["two"]),
        ids["two"][:6]: ("unknown", None),
        "nope": ("unknown", None),
        "main~1": ("unknown", None),
        "main:recipe.yaml": ("unknown", None),
        ":/one": ("unknown", None),
        "a..b": ("unknown", None),
        "-x": ("unknown", None),
        "": ("unknown", None),
        "x\ny": ("unknown", None),
        "f" * 40: ("unknown", None),
    }
    with RefSources.parse([f"{URL}={folder}"]) as sources:
        for ref, (kind, id) in expected.items():
            answer = sources.lookup(URL, ref)
            assert (answer.kind, answer.commit) == (kind, id), ref
            assert (answer.tree is None) == (kind == "unknown") == bool(answer.reason)
        for none in (None, "HEAD"):
            answer = sources.lookup("git@github.com:owner/name", none)
            assert (answer.kind, answer.name, answer.commit) == ("default", "main", ids["three"])
        tree = sources.lookup(URL, "v-one").tree
        assert tree is not None
        assert tree.name == "Owner/Name@v-one"
        assert tree.read("recipe.yaml").shown == "Owner/Name@v-one:recipe.yaml"
        short = sources.lookup(URL, ids["two"]).tree
        assert short is not None
        assert short.name == f"Owner/Name@{ids['two'][:8]}"
        assert sources.lookup(URL, "v-one").tree is tree


DAY = 86_400

HISTORY = b"".join(
    f"""commit refs/heads/{branch}
mark :{mark}
committer a <a@example.org> {day * DAY} +0000
data 1
x
{parents}M 100644 inline recipe.yaml
data 2
{mark}
""".encode()
    for mark, branch, day, parents in (
        (1, "main", 1, ""),
        (2, "side", 2, "from :1\n"),
        (3, "main", 5, "from :1\n"),
        (4, "main", 7, "from :3\nmerge :2\n"),
        (5, "main", 9, "from :4\n"),
        (6, "young", 8, ""),
    )
)
"""``main`` was at 1 from day 1, at 3 from day 5, at 4 (which brings 2 in late) from day 7, at 5 from day 9."""


@pytest.fixture
def history(tmp_path: Path, git: Git) -> Path:
    folder = tmp_path / "history"
    folder.mkdir()
    git(folder, "init", "--quiet", "--bare")
    git(folder, "fast-import", "--quiet", given=HISTORY)
    git(folder, "tag", "-m", "x", "v1", "main")
    return folder


@pytest.mark.parametrize(
    ("day", "there"), [(0, None), (1, "1"), (4, "1"), (5, "3"), (6, "3"), (7, "4"), (8, "4"), (9, "5"), (30, "5")]
)
def test_a_branch_is_read_as_it_was_at_a_time(history: Path, day: int, there: str | None) -> None:
    with RefSources.parse([f"{URL}={history}"]) as sources:
        sources.as_of = day * DAY
        for ref, kind in (("main", "branch"), ("origin/main", "branch"), (None, "default")):
            answer = sources.lookup(URL, ref)
            if there is None:
                assert (answer.kind, answer.tree) == ("unknown", None)
                assert "no commit as old as the revision under review" in answer.reason
            else:
                assert answer.kind == kind
                assert text_of(answer.tree) == f"{there}\n"
                assert answer.commit is not None and answer.tree is not None
                assert (answer.commit[:8] in answer.tree.name) == (there != "5")  # the tip needs no id


def test_tags_and_commits_mean_what_they_say_at_any_time(history: Path, git: Git) -> None:
    tip = git(history, "rev-parse", "main")
    with RefSources.parse([f"{URL}={history}"]) as sources:
        sources.as_of = 0
        for ref, kind in (("v1", "tag"), (tip, "commit")):
            assert (sources.lookup(URL, ref).kind, sources.lookup(URL, ref).commit) == (kind, tip)
        assert sources.lookup(URL, "young").kind == "unknown"


def test_why_a_ref_is_unknown(tmp_path: Path, upstream: tuple[Path, dict[str, str]], git: Git) -> None:
    folder, ids = upstream
    write(tmp_path, {"plain/recipe.yaml": "name: plain\n"})
    with RefSources.parse([f"{URL}@v9={tmp_path / 'plain'}"]) as sources:
        assert sources.lookup("https://h/a/b", "v1").reason == "no ref source for a/b"
        assert sources.lookup(URL, "v1").reason == "a ref source for Owner/Name holds v9 only"
        assert sources.lookup(URL, None).kind == "unknown"
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{folder}", "shallow")
    with RefSources.parse([f"{URL}={tmp_path / 'shallow'}"]) as sources:
        reason = sources.lookup(URL, ids["one"]).reason
        assert reason == f"the ref source for Owner/Name has no {ids['one']} (it is a shallow clone)"


def test_remote_heads_of_a_normal_clone(tmp_path: Path, upstream: tuple[Path, dict[str, str]], git: Git) -> None:
    folder, ids = upstream
    git(tmp_path, "clone", "--quiet", "--origin=other", str(folder), "clone")
    with RefSources.parse([f"{URL}={tmp_path / 'clone'}"]) as sources:
        assert sources.lookup(URL, "topic/x").commit == ids["two"]
        assert sources.lookup(URL, "both").kind == "tag"


def test_a_folder_stands_for_one_ref(tmp_path: Path, upstream: tuple[Path, dict[str, str]]) -> None:
    folder, ids = upstream
    write(tmp_path, {"plain/recipe.yaml": "name: plain\n"})
    specs = [f"{URL}@v-one={tmp_path / 'plain'}", f"{URL}={folder}", f"{URL}@HEAD={tmp_path / 'plain'}"]
    with RefSources.parse(specs) as sources:
        answer = sources.lookup(URL, "v-one")
        assert (answer.kind, answer.commit, text_of(answer.tree)) == ("folder", None, "name: plain\n")
        assert sources.lookup(URL, "v-two").commit == ids["two"]
        assert sources.lookup(URL, None).kind == "default"
    with RefSources.parse(specs[2:]) as sources:
        assert sources.lookup(URL, None).kind == "folder"


def test_precedence(tmp_path: Path, upstream: tuple[Path, dict[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, ids = upstream
    for name in ("line", "env", "config"):
        write(tmp_path, {f"{name}/recipe.yaml": name})
    cache = tmp_path / "cache"
    sync(f"file://{folder}", cache)
    cached_clone_path(URL, cache).parent.mkdir(parents=True)
    cached_clone_path(f"file://{folder}", cache).rename(cached_clone_path(URL, cache))
    monkeypatch.chdir(tmp_path)
    environment = {ENVIRONMENT: f"{URL}@v=env\n{URL}@w=env"}
    with RefSources.gather(
        [f"{URL}@v=line"], environment, [f"{URL}@w=config", f"{URL}@x=config"], tmp_path, cache
    ) as all_:
        assert text_of(all_.lookup(URL, "v").tree) == "line"
        assert text_of(all_.lookup(URL, "w").tree) == "env"
        assert text_of(all_.lookup(URL, "x").tree) == "config"
        assert all_.lookup(URL, "v-one").commit == ids["one"]
        assert all_.lookup(URL, None).name == "main"
        given_by = [source.given_by for source in all_.sources_of(URL)]
        assert given_by == ["command line", "environment", "environment", "configuration", "configuration", "cache"]


def test_a_source_that_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, {"plain/x": ""})
    with pytest.raises(SourceError, match=r"\(environment\): no such folder"):
        RefSources.gather(environment={ENVIRONMENT: f"{URL}={tmp_path / 'missing'}"})
    with pytest.raises(SourceError, match="say which ref it stands for"):
        RefSources.parse([f"{URL}={tmp_path / 'plain'}"])


def test_sync_clones_then_brings_up_to_date(tmp_path: Path, upstream: tuple[Path, dict[str, str]], git: Git) -> None:
    folder, ids = upstream
    git(folder, "update-ref", "refs/pull/1/head", ids["one"])
    url, cache = f"file://{folder}", tmp_path / "cache"
    first = sync(url, cache)
    assert first.fresh
    assert first.path == cached_clone_path(url, cache)
    assert "refs/pull" not in git(first.path, "for-each-ref")
    with RefSources(cache=cache) as sources:
        assert sources.lookup(url, "topic/x").commit == ids["two"]
        assert sources.lookup(url, None).name == "main"
    write(folder, {"recipe.yaml": "name: four\n"})
    git(folder, "checkout", "--quiet", "-b", "next")
    four = commit(git, folder, "four")
    git(folder, "branch", "-D", "topic/x")
    git(folder, "branch", "topic")
    git(folder, "branch", "-f", "both", four)
    git(folder, "tag", "-f", "both", four)
    assert not sync(url, cache).fresh
    with RefSources(cache=cache) as sources:
        assert sources.lookup(url, None).name == "next"
        assert sources.lookup(url, "topic").commit == sources.lookup(url, "both").commit == four
        assert sources.lookup(url, "topic/x").kind == "unknown"
        assert sources.lookup(url, ids["two"]).kind == "commit"
    assert [path.name for path in first.path.parent.iterdir()] == [first.path.name]


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c touch% trap",
        "http://h/o/n",
        "git://h/o/n",
        "fd::7",
        "--upload-pack=touch trap",
        "ssh://-oProxyCommand=touch/o/n",
        "-x:o/n",
        "https://h/o/n\n",
        "../relative",
        "o/n",
        "",
        "file://",
    ],
)
def test_sync_refuses(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError):
        sync(url, tmp_path / "cache")
    assert list(tmp_path.iterdir()) == []


def test_a_clone_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(SyncFailed, match=r"does not exist|not appear to be a git repository"):
        sync(f"file://{tmp_path}/missing", tmp_path / "cache")
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
